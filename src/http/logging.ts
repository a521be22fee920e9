import { styleText } from "node:util";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import pino from "pino";
import type { Config } from "../platform/config.ts";

/**
 * The log goes to standard output, as JSON or text. It has a request's method, path, id and client's address, and the
 * names of unknown parameters, but no value of a query, no body and no key.
 */
export function loggerOptions({ logLevel: level, logFormat }: Pick<Config, "logLevel" | "logFormat">) {
  if (level === "silent") return false;
  return {
    level,
    timestamp: isoTime,
    serializers: { req: describeRequest, err: describeError },
    hooks: { logMethod: exceptListening },
    ...(logFormat === "text" && { stream: terminalLog(process.stdout) }),
  };
}

export function createLog(config: Pick<Config, "logLevel" | "logFormat">): FastifyBaseLogger {
  const options = loggerOptions(config) || { level: "silent" };
  return pino(options, "stream" in options ? options.stream : undefined);
}

/**
 * Fastify says where it listens as soon as it does, and errors may end the program after that: the start says it when
 * the site is ready.
 */
function exceptListening(this: unknown, given: unknown[], log: (...given: never) => void): void {
  if (!String(given[0]).startsWith("Server listening at ")) log.apply(this, given as never);
}

const isoTime = () => `,"time":"${new Date().toISOString()}"`;

type RequestLine = Pick<FastifyRequest, "method" | "url">;

/** A token in a path lets whoever has it in, however the path is written, and also before a stray sign. */
const TOKEN = /(?<=\/|%2f)(?:[\w-]|%[0-9a-f]{2}){43}(?![\w-])/gi;

function describeRequest({ method, url }: RequestLine) {
  return { method, path: url.split("?", 1)[0]?.replace(TOKEN, ":token") };
}

interface Described {
  type: string;
  message: string;
  stack: string;
  [more: string]: unknown;
}

/** Describes an error without PostgreSQL's detail, which repeats stored values. */
function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: "" };
  const { name, message, stack = "", cause } = error;
  const code = (error as { code?: unknown }).code;
  return { type: name, message, stack, code, cause: cause === undefined ? undefined : describeError(cause) };
}

export async function logAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { statusCode: status, elapsedTime: ms } = reply;
  request.log.info(
    { req: request, status, ms: Math.round(ms * 10) / 10, address: request.ip },
    "request completed",
  );
}

export function logsAnswers({ logLevel }: Pick<Config, "logLevel">): boolean {
  return logLevel === "trace" || logLevel === "debug" || logLevel === "info";
}

interface Entry {
  level: number;
  time: string;
  msg: string;
  req?: { method: string; path: string };
  status?: number;
  ms?: number;
  err?: { stack: string };
  [more: string]: unknown;
}

const KNOWN = new Set("level time pid hostname reqId msg req status ms address err".split(" "));

const WARN = 40;
const ERROR = 50;
const HEALTH_CHECK = /^\/(healthz|readyz|metrics|api\/health_checks\/\w+)$/;
/** Terminals interpret these, also in their 8-bit form. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
const ERASE_LINE = "\r\u001b[K";

function terminalLog(out: NodeJS.WriteStream): { write: (json: string) => void } {
  const paint = out.isTTY && out.hasColors() ? styleText : (_style: Style, text: string) => text;
  return {
    write(json) {
      const line = toLine(JSON.parse(json) as Entry, paint);
      // Erases progress on the line; not in a file.
      if (line !== undefined) out.write(`${out.isTTY ? ERASE_LINE : ""}${line}\n`);
    },
  };
}

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

function toLine(entry: Entry, paint: Paint): string | undefined {
  const { level, time, msg, req, status, ms, err } = entry;
  const clock = paint("dim", new Date(time).toTimeString().slice(0, 8));
  if (req && status !== undefined) {
    if (HEALTH_CHECK.test(req.path)) return undefined;
    const [method, path] = [req.method.padEnd(6), escape(req.path)];
    return `${clock}  ${method} ${path}  ${paint(styleOf(status), String(status))}  ${paint("dim", `${ms} ms`)}`;
  }
  const more = Object.entries(entry).flatMap(([name, value]) =>
    KNOWN.has(name) ? [] : `  ${name}=${String(value)}`,
  );
  const text = escape(err ? `${msg}\n${err.stack}` : msg + more.join(""));
  if (level >= ERROR) return `${clock}  ${paint("red", "error")}  ${text}`;
  return `${clock}  ${level >= WARN ? `${paint("yellow", "warning")}  ` : ""}${text}`;
}

function styleOf(status: number): Style {
  if (status >= 500) return "red";
  return status >= 400 ? "yellow" : "green";
}

function escape(text: string): string {
  return text.replaceAll(CONTROL, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
