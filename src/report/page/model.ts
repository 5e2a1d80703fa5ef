// The value a page is made of, as docs/page.schema.json promises it.

export interface Page {
  version: number;
  tool: string;
  history: HistoryFacts;
  conclusion: string;
  stopped_at_first: boolean;
  levels: Level[];
  set_aside?: string;
  terms: Term[];
  groups: number;
  violations: number;
  left_out: { kind: string; groups: number; violations: number }[];
  stories: Story[];
}

export interface HistoryFacts {
  path: string;
  format: string;
  lists: boolean;
  sessions: number;
  transactions: number;
  operations: number;
  keys: number;
  writes: number;
  reads: number;
  judged_reads: number;
  committed: number;
  aborted: number;
  unknown: number;
  promoted: number;
  dropped: number;
  clock?: string;
  time_span?: string;
  recorded?: string[];
  warnings: string[];
  session_order?: string;
}

export interface Level {
  name: string;
  title: string;
  summary: string;
  implies: string[];
  verdict: "holds" | "violated" | "undecided" | "not asked";
  because?: string;
  findings?: number;
  inherited?: number;
  more?: boolean;
  limit?: string;
  needs_times?: boolean;
  needs_sessions?: boolean;
}

export interface Term {
  word: string;
  meaning: string;
}

export interface Story {
  kind: string;
  name: string;
  also: string;
  sentence: string;
  title: string;
  headline: string;
  plain?: string;
  count: number;
  level: string;
  breaks: string[];
  keeps: string[];
  weakest_broken: string[];
  strongest_kept: string[];
  keys: string[];
  by_time: boolean;
  lanes: Lane[];
  transactions: Txn[];
  transactions_left_out: number;
  arrows: Arrow[];
  steps: Step[];
  steps_left_out: number;
  contradiction: string;
  guilty: number[];
  versions: Strip[];
  terms: string[];
  reproducer?: { format: string; text: string };
}

export interface Gap {
  count: number;
  names: string[];
}

export interface Lane {
  session: string;
  transactions: number;
  shown: number[];
  after?: Gap;
}

export interface Txn {
  name: string;
  status: "committed" | "aborted" | "unknown" | "initial";
  session?: string;
  position?: number;
  id?: number;
  promoted?: boolean;
  node?: string;
  meta?: string;
  begin?: string;
  end?: string;
  lines?: string;
  before?: Gap;
  operations: Op[];
  operations_left_out?: number;
}

export interface Op {
  id: number;
  type: "read" | "write" | "append" | "initial";
  key: string;
  value: string;
  line?: number;
  from?: string | null;
}

export type ArrowType = "session" | "read" | "time" | "must" | "missed" | "expected";

export interface Arrow {
  type: ArrowType;
  from: number;
  to: number;
  from_op?: number;
  to_op?: number;
  step?: number;
  derivation?: Derivation;
}

export interface Derivation {
  reader: string;
  returned: string;
  other: string;
  key: string;
  axiom: string;
  read: string;
  wrote: string;
  seen: string[];
  rule: string;
  alternative: string;
  refuted: string;
  conclusion: string;
}

export interface Step {
  number: number;
  claim: string;
  reason: string;
  inferred?: boolean;
  depth?: number;
  operations: number[];
  arrows: number[];
}

export interface Strip {
  key: string;
  total: number;
  order: "time" | "picture" | "input";
  shown: Version[];
}

export interface Version {
  number: number;
  value: string;
  writer: string;
  session?: string;
  status: string;
  operation?: number;
  time?: string;
  named: boolean;
  readers: string[];
  more_readers?: number;
}
