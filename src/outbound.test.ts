import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { waysOut } from "../test/source-code.ts";

/** Packages that were looked at, and open no connection. */
const HARMLESS = `
  @fastify/busboy @mixmark-io/domino @fastify/proxy-addr @fastify/swagger @fastify/type-provider-typebox @joplin/turndown-plugin-gfm
  @node-rs/argon2 bcryptjs commander cookie fastify feedsmith find-my-way franc-min
  highlight.js isbot kysely otpauth uqr lru-cache markdown-it markdown-it-emoji markdown-it-footnote pg-copy-streams porter2 preact-render-to-string sanitize-html saxes sharp
  tar-stream turndown typebox yaml yauzl yazl`
  .trim()
  .split(/\s+/);

/** Who may reach what is outside this process, by what, and why. */
const ALLOWED: Record<string, readonly string[]> = {
  // The one client: it judges where it goes.
  "platform/net/send-request.ts": ["undici"],
  "platform/net/resolving.ts": ["node:dns/promises"],
  // The database, which the operator chose.
  "platform/db/prepared.ts": ["pg"],
  "platform/db/connect.ts": ["pg"],
  "platform/db/migrate.ts": ["graphile-worker"],
  "platform/db/copying.ts": ["pg"],
  "platform/db/embedded/database.ts": ["pg"],
  "platform/jobs/runner.ts": ["graphile-worker"],
  // The operator's SMTP server.
  "mail/transport.ts": ["nodemailer"],
  // Only reads addresses.
  "platform/config/mail.ts": ["nodemailer/lib/addressparser"],
  // The file store, which the operator chose too.
  "platform/files/s3.ts": ["s3mini", "undici"],
  // The embedded PostgreSQL: whether its socket answers, and its programs.
  "platform/db/embedded/engine.ts": ["node:net"],
  "platform/db/embedded/binaries.ts": ["node:child_process", "node:module"],
  "platform/db/embedded/postmaster.ts": ["node:child_process"],
  "platform/db/embedded/processes.ts": ["node:child_process"],
  "platform/db/embedded/account.ts": ["node:child_process"],
  // In the reader's browser, whose policy allows this site alone.
  "site/kit/client/reference.ts": ["fetch"],
  "site/kit/client/suggest.ts": ["fetch"],
  "site/kit/client/forms.ts": ["fetch"],
  "site/kit/client/checking.ts": ["fetch"],
  "site/kit/client/editor/preview.ts": ["XMLHttpRequest"],
  "site/kit/client/editor/toolbar.ts": ["@github/markdown-toolbar-element"],
  // Reads the metrics of the servers on this computer.
  "operate/cli/doctor.ts": ["fetch"],
  // Asks a server of the operator's whether it is ready.
  "operate/cli/ready.ts": ["fetch"],
  // Set the size of the heap.
  "operate/cli/serve-site.ts": ["node:v8"],
  "cli.ts": ["node:v8"],
  // A server's parent and its workers, which are this program too.
  "operate/cli/serve.ts": ["node:cluster"],
  "operate/workers/parent.ts": ["node:cluster", "process"],
  "operate/workers/workers.ts": ["node:cluster"],
  // Whether the terminal is still there.
  "operate/cli/serve-workers.ts": ["node:tty"],
  // Writes the log to standard output.
  "http/logging.ts": ["pino"],
  // Asks the operator at the terminal.
  "operate/cli/user.ts": ["node:readline/promises"],
  // Creates the server that listens.
  "http/server.ts": ["node:http"],
  // Stops listening without closing connections.
  "http/connections.ts": ["node:net"],
  // Its numbers are only read; its functions that push them aren't used.
  "platform/metrics/metrics.ts": ["prom-client"],
  // The stemmers, which compute.
  "search/index/stemmers.cjs": ["require"],
  "search/index/stemming.ts": ["node:module"],
  // Its reader of source maps.
  "platform/stack-traces.ts": ["node:module"],
  // Threads and processes that run modules of src/, which this test reads as well.
  "platform/jobs/workers.ts": ["node:child_process", "node:worker_threads"],
};

const SRC = import.meta.dirname;

test("only the one client reaches other computers", () => {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.test)\.[cm]?[jt]sx?$/.test(file),
  );
  const found = files.flatMap((file) => {
    const ways = waysOut(readFileSync(join(SRC, file), "utf8"), HARMLESS, file);
    return ways.length === 0 ? [] : [[file, ways.toSorted()] as const];
  });
  expect(Object.fromEntries(found)).toEqual(ALLOWED);
});

describe("what is looked for", () => {
  test.each([
    ['import { request } from "node:http";', "node:http"],
    ['import { get } from "https";', "https"],
    ['import http2 from "node:http2";', "node:http2"],
    ['import * as net from "node:net";', "node:net"],
    ['import { isIP, connect } from "node:net";', "node:net"],
    ['import "node:tls";', "node:tls"],
    ['import { Socket as S } from "net";', "net"],
    ['import { lookup } from "node:dns/promises";', "node:dns/promises"],
    ['import { createSocket } from "node:dgram";', "node:dgram"],
    ['import { exec } from "node:child_process";', "node:child_process"],
    ['import { createRequire } from "node:module";', "node:module"],
    ['import { request } from "undici";', "undici"],
    ['import got from "got";', "got"],
    ['import { Client } from "pg";', "pg"],
    ['export { request } from "node:https";', "node:https"],
    ['export * from "undici";', "undici"],
    ['import net = require("node:net");', "node:net"],
    ['const net = await import("node:net");', "node:net"],
    ['const name = "node:net"; const net = await import(name);', "import(…)"],
    ['const net = require("node:net");', "require"],
    ['process.getBuiltinModule("node:net").connect(1);', "getBuiltinModule"],
    ['process["getBuiltinModule"]("node:net");', "getBuiltinModule"],
    ['await fetch("http://127.0.0.1/");', "fetch"],
    ["const get = fetch;", "fetch"],
    ["const tools = { fetch };", "fetch"],
    ["const tools = { get: fetch };", "fetch"],
    ["const tools = { [fetch]: 1 };", "fetch"],
    ["run(`${await fetch(url)}`);", "fetch"],
    ["(fetch as any)(url);", "fetch"],
    ["(fetch satisfies unknown)(url);", "fetch"],
    ["fetch!(url);", "fetch"],
    ["(<any>fetch)(url);", "fetch"],
    ["const get = fetch<string>;", "fetch"],
    ["enum Tools { get = fetch }", "fetch"],
    ["class Tools { constructor(private get = fetch) {} }", "fetch"],
    ["export default fetch;", "fetch"],
    ["globalThis.fetch(url);", "globalThis"],
    ['globalThis["fetch"](url);', "globalThis"],
    ["(globalThis as any).fetch(url);", "globalThis"],
    ["globalThis!.fetch(url);", "globalThis"],
    ["const { fetch: get } = globalThis;", "globalThis"],
    ["const all = globalThis; all.fetch(url);", "globalThis"],
    ['Reflect.get(globalThis, "fetch")(url);', "globalThis"],
    ["import get = globalThis.fetch;", "globalThis,fetch"],
    ["global[name](url);", "global"],
    ["self.fetch(url);", "self"],
    ["const { getBuiltinModule } = process;", "getBuiltinModule,process"],
    ["const { [name]: get } = process;", "process"],
    ["const p = process; p.getBuiltinModule(name);", "process,getBuiltinModule"],
    ["(process as any)[name];", "process"],
    ["process[name];", "process"],
    ["function end(process: Child) {} const { dlopen: d } = process;", "dlopen,process"],
    ["new Worker(source, { eval: true });", "eval"],
    ['import { Worker } from "node:worker_threads";', "node:worker_threads"],
    ['import cluster from "node:cluster";', "node:cluster"],
    ['import { runInThisContext } from "node:vm";', "node:vm"],
    ['import { argv } from "node:process";', "node:process"],
    ['new WebSocket("ws://127.0.0.1/");', "WebSocket"],
    ['new EventSource("http://127.0.0.1/");', "EventSource"],
    ['eval("1");', "eval"],
    ['new Function("return 1");', "Function"],
  ])("%s", (source, way) => {
    expect(waysOut(source, HARMLESS)).toEqual(way.split(","));
  });

  test.each([
    'import type { Socket } from "node:net";',
    'import { type Socket, isIP, BlockList } from "node:net";',
    'import { readFile } from "node:fs/promises";',
    'import { sql } from "kysely";',
    'import { bodySql } from "kysely/helpers/postgres";',
    'import { net } from "./platform/net/net.ts";',
    'const site = await import("./serve-site.ts");',
    'import { parentPort } from "node:worker_threads";',
    "type Tools = { fetch: typeof fetch };",
    "const tools: typeof globalThis = own as typeof globalThis;",
    "declare global { var fetches: number }",
    "process.on(signal, stop); process.env.HOME; process['argv'];",
    "for (const process of processes) end(process);",
    "const address = ({ self }: Feed) => link(self);",
    "interface Tools { fetch(): void }",
    "const tools = { fetch: 1 }; tools.fetch;",
    "class Feeds { fetch() { return this.fetch(); } }",
    'const text = "fetch(1)"; // fetch(1)',
  ])("but not in %s", (source) => {
    expect(waysOut(source, HARMLESS)).toEqual([]);
  });
});
