// What the reader looks at: a step of the proof, and whether its derivation is
// unfolded. Views subscribe; whoever has a pointer or a key changes it.
//
// Positions: -1 the whole picture, 0 ... n-1 the steps, n the contradiction.

export interface Glance {
  step?: number; // index of a step
  arrow?: number;
  txn?: number;
}

type Listener = (focus: Focus) => void;

export class Focus {
  at = -1;
  glance: Glance = {};
  opened = -1; // index of the step whose derivation is unfolded
  private listeners: Listener[] = [];

  constructor(readonly steps: number) {}

  get atEnd(): boolean {
    return this.at === this.steps;
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
    listener(this);
  }

  go(position: number): void {
    this.at = Math.max(-1, Math.min(this.steps, position));
    if (this.opened !== this.at) this.opened = -1;
    this.tell();
  }

  // Looks at a step and takes it apart, or puts it together again.
  open(step: number): void {
    this.at = step;
    this.opened = this.opened === step ? -1 : step;
    this.tell();
  }

  look(glance: Glance): void {
    this.glance = glance;
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this);
  }
}
