#!/usr/bin/env node
// PostgreSQL through node-postgres (Debian: nodejs, node-pg), as a driver for
// awdit.
//
//   NODE_PATH=/usr/share/nodejs awdit run \
//       --db 'exec:contrib/drivers/postgres.js postgres://me@host/test'
//
// A value is kept as its JSON text. Numbers below 2^53 are safe in JavaScript;
// that is why the protocol has no larger ones. Requests are answered one after
// the other: each waits for the one before.
"use strict";
const { Client } = require("pg");
const readline = require("readline");

const LEVELS = ["serializable", "repeatable-read", "read-committed"];
const CLAIMS = ["serializable", "snapshot-isolation", "read-committed"];
let db = null;
let begin = "";

async function hello(request) {
  const level = request.level || LEVELS[0];
  begin = "BEGIN ISOLATION LEVEL " + level.replace("-", " ");
  db = new Client({ connectionString: process.argv[2] });
  db.on("error", (trouble) => console.error(trouble.message));
  await db.connect();
  const version = await db.query("SHOW server_version");
  return {
    hello: 1,
    name: "PostgreSQL " + version.rows[0].server_version,
    levels: LEVELS,
    claims: CLAIMS[LEVELS.indexOf(level)],
    can: ["interactive"],
  };
}

async function answer(request) {
  switch (request.do) {
    case "reset":
      await db.query("DROP TABLE IF EXISTS awdit_node");
      await db.query("CREATE TABLE awdit_node (k TEXT PRIMARY KEY, v TEXT)");
      return {};
    case "begin":
      await db.query(begin + (request.read_only ? " READ ONLY" : ""));
      return {};
    case "read": {
      const found = await db.query("SELECT v FROM awdit_node WHERE k = $1", [
        request.key,
      ]);
      return { value: found.rows.length ? JSON.parse(found.rows[0].v) : null };
    }
    case "write":
      await db.query(
        "INSERT INTO awdit_node VALUES ($1, $2) " +
          "ON CONFLICT (k) DO UPDATE SET v = excluded.v",
        [request.key, JSON.stringify(request.value)]
      );
      return {};
    case "commit": {
      // A block that has failed is answered with ROLLBACK, and no error.
      const done = await db.query("COMMIT");
      return done.command === "COMMIT"
        ? {}
        : { ok: false, outcome: "aborted", why: "rolled back" };
    }
    case "rollback":
      await db.query("ROLLBACK");
      return {};
  }
}

// The server's word (an SQLSTATE) is a no; without one, after COMMIT, nobody
// knows.
async function refusal(request, trouble) {
  const said = /^[0-9A-Z]{5}$/.test(trouble.code) && trouble.severity === "ERROR";
  const lost = request.do === "commit" && !said;
  if (said) await db.query("ROLLBACK").catch(() => {});
  return {
    ok: false,
    outcome: lost ? "unknown" : "aborted",
    why: trouble.code || trouble.message,
  };
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    if (request.do === "close") break;
    let reply;
    if (request.hello) {
      reply = await hello(request).catch((trouble) => ({
        hello: 1,
        ok: false,
        why: trouble.message,
      }));
    } else {
      reply = await answer(request).catch((why) => refusal(request, why));
      reply = { id: request.id, ok: true, ...reply };
    }
    process.stdout.write(JSON.stringify(reply) + "\n");
  }
  process.exit(0);
}

main();
