import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectSecurely } from "node:tls";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll } from "vitest";
import { SELF_SIGNED } from "../mail-server.ts";
import { exchange, type Exchanged } from "../net.ts";
import { freePort, untilListening } from "../waiting.ts";
import { startWorld, type World } from "../world.ts";

// Debian has it where only administrators look for programs.
const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin` };

export const HAS_NGINX = spawnSync("nginx", ["-V"], { env }).status === 0;

const DOCS = join(import.meta.dirname, "../../docs/run");
const documented = (name: string) => readFileSync(join(DOCS, name), "utf8");

/** A cache or a proxy in front of a server. */
export interface Edge {
  ask: (path: string, call?: Call) => Promise<Exchanged>;
  /** Sends bytes that no client of HTTP would, and gives what comes back until the connection ends. */
  send: (bytes: string) => Promise<string>;
  /** What the program itself says of its configuration; empty if it finds no fault. */
  check: () => string;
  stop: () => Promise<void>;
}

export interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

function clientOf(port: number, isSecure: boolean): Pick<Edge, "ask" | "send"> {
  const request = isSecure ? secureRequest : plainRequest;
  const to = { host: "127.0.0.1", port, rejectUnauthorized: false };
  return {
    async ask(path, { method = "GET", headers = {}, body } = {}) {
      const sent = request({ ...to, path, method, headers, agent: false });
      sent.end(body);
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      const bytes = Buffer.concat(await answer.toArray());
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: bytes };
    },
    async send(bytes) {
      const socket = isSecure ? connectSecurely(to) : connect(to);
      socket.on("error", () => {});
      socket.write(bytes);
      return Buffer.concat(await socket.toArray().catch(() => [])).toString();
    },
  };
}

function exchanged(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  return pairs.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The configuration has no ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}

interface NginxOptions {
  isSecure?: boolean;
  file?: "nginx.conf" | "nginx-proxy.conf";
}

export async function startNginx(
  origin: number,
  { isSecure = true, file = "nginx.conf" }: NginxOptions = {},
): Promise<Edge & { url: string }> {
  const folder = await mkdtemp(join(tmpdir(), "inkstone-nginx-"));
  const [port, plain, second] = [await freePort(), await freePort(), await freePort()];
  const cache = [
    ["127.0.0.1:3001", `127.0.0.1:${second}`],
    ["/var/cache/inkstone", `${folder}/cache`],
  ] as const;
  const site = exchanged(documented(file), [
    ["listen [::]:80;", ""],
    ["listen [::]:443 ssl http2;", ""],
    ["listen 80;", `listen 127.0.0.1:${plain};`],
    ["listen 443 ssl http2;", `listen 127.0.0.1:${port}${isSecure ? " ssl http2" : ""};`],
    ["127.0.0.1:3000", `127.0.0.1:${origin}`],
    ["/etc/letsencrypt/live/community.example", folder],
    ...(file === "nginx.conf" ? cache : []),
  ]);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  // As Debian's own file, which includes that of the site.
  const whole = [
    `${process.getuid?.() === 0 ? "user root;" : ""} worker_processes 2; daemon off; pid ${folder}/pid;`,
    `error_log ${folder}/error.log; events { worker_connections 4096; } http { access_log off; gzip on; ${paths.join(" ")}`,
    site,
    "}",
  ];
  await writeFile(join(folder, "fullchain.pem"), SELF_SIGNED.cert);
  await writeFile(join(folder, "privkey.pem"), SELF_SIGNED.key);
  await writeFile(join(folder, "nginx.conf"), whole.join("\n"));
  const args = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  const check = () => faultIn(spawnSync("nginx", [...args, "-t"], { env, encoding: "utf8" }));
  const child = spawn("nginx", args, { env, stdio: "ignore" });
  await started(child, port, check);
  const url = `${isSecure ? "https" : "http"}://127.0.0.1:${port}`;
  return { url, ...clientOf(port, isSecure), check, stop: () => stop(child, folder) };
}

async function started(child: ChildProcess, port: number, check: () => string): Promise<void> {
  if (!(await untilListening(port, child))) throw new Error(`It does not start. ${check()}`);
}

const faultIn = ({ status, stderr }: { status: number | null; stderr: string }) =>
  status === 0 ? "" : stderr;

async function stop(child: ChildProcess, folder: string): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
  await rm(folder, { recursive: true, force: true });
}

/** A server whose answers caches may keep, and a cache in front of it. */
export function siteBehind(edgeSeconds: number) {
  let world: World;
  let edge: Edge;
  let port: number;
  let key: string;
  let ada: Awaited<ReturnType<World["user"]>>;
  /** Request lines that came to the server. */
  const came: string[] = [];
  let colds = 0;
  beforeAll(async () => {
    world = await startWorld({ config: { edgeSeconds, trustProxy: ["127.0.0.1"] } });
    ada = await world.user({ username: "ada" });
    key = await world.key(ada);
    await world.article(ada, {
      slug: "looms",
      title: "Looms",
      body_markdown: "Words of looms. ".repeat(200),
    });
    world.app.server.prependListener("request", ({ method, url }) => void came.push(`${method} ${url}`));
    await world.app.listen({ host: "127.0.0.1", port: 0 });
    ({ port } = world.app.server.address() as AddressInfo);
    edge = await startNginx(port);
  });
  afterAll(async () => {
    await edge.stop();
    await world.stop();
  });
  return {
    get world() {
      return world;
    },
    get ada() {
      return ada;
    },
    get key() {
      return key;
    },
    get edge() {
      return edge;
    },
    ask: (path: string, call?: Call) => edge.ask(path, call),
    /** The answer of the server itself. */
    directly: (path: string, headers: Record<string, string> = {}) => exchange({ port, path, headers }),
    /** The address under which nothing is kept yet. */
    cold: (path: string) => `${path}${path.includes("?") ? "&" : "?"}cold=${++colds}`,
    /** The requests that come to the server meanwhile. */
    async during(work: () => Promise<unknown>): Promise<string[]> {
      const before = came.length;
      await work();
      return came.slice(before);
    },
    async leave() {
      const closed = new Promise((resolve) => world.app.server.close(resolve));
      world.app.server.closeAllConnections();
      await closed;
    },
    comeBack: () => new Promise<void>((resolve) => void world.app.server.listen(port, "127.0.0.1", resolve)),
  };
}

/** What a reader gets, beside what belongs to the request or to the cache. */
export function shown({ status, headers, body }: Exchanged) {
  const fields = ["content-type", "etag", "cache-control", "cdn-cache-control", "vary", "location", "link"];
  return {
    status,
    ...Object.fromEntries(fields.map((name) => [name, headers[name]])),
    body: (headers["content-encoding"] === "gzip" ? gunzipSync(body) : body)
      .toString()
      .replace(/Request <code>.*?</, "Request <code><"),
  };
}

/** The same for an answer of the server itself, whose word to caches they hide. */
export const shownBehind = (answer: Exchanged) => ({ ...shown(answer), "cdn-cache-control": undefined });
