import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { isRouted } from "./methods.ts";
import { terminalLog } from "./terminal-log.ts";

/** To standard output, as JSON or text. Never a header, a query or a body, so no key and no search. */
export function loggerOptions({ logLevel: level, logFormat }: Pick<Config, "logLevel" | "logFormat">) {
  if (level === "silent") return false;
  return {
    level,
    timestamp: isoTime,
    serializers: { req: describeRequest, err: describeError },
    ...(logFormat === "text" && { stream: terminalLog(process.stdout) }),
  };
}

const isoTime = () => `,"time":"${new Date().toISOString()}"`;

type RequestLine = Pick<FastifyRequest, "method" | "url">;

function describeRequest({ method, url }: RequestLine) {
  return { method, path: url.split("?", 1)[0] };
}

interface Described {
  type: string;
  message: string;
  stack: string;
  [more: string]: unknown;
}

/** Without PostgreSQL's detail, which repeats stored values. */
function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: "" };
  const { name, message, stack = "", cause } = error;
  const code = (error as { code?: unknown }).code;
  return { type: name, message, stack, code, cause: cause === undefined ? undefined : describeError(cause) };
}

export async function logAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { statusCode: status, elapsedTime: ms } = reply;
  request.log.info(described(request, { status, ms, address: request.ip }), ANSWERED);
}

export function logsAnswers({ logLevel }: Pick<Config, "logLevel">): boolean {
  return logLevel === "trace" || logLevel === "debug" || logLevel === "info";
}

export const ANSWERED = "answered";

export function described(
  req: RequestLine,
  { status, ms, address }: { status: number; ms: number; address: string },
) {
  return { req, status, ms: Math.round(ms * 10) / 10, address };
}

/** All that is no operation of the API. */
const OTHER = "other";

export function operationOf(request: FastifyRequest): string {
  const { operationId = OTHER } = request.routeOptions.schema ?? {};
  return isRouted(request) ? operationId : OTHER;
}

export async function countAnswer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const operation = operationOf(request);
  const seconds = reply.elapsedTime / 1_000;
  request.server.metrics.noteRequest({ operation, status: reply.statusCode, seconds });
}
