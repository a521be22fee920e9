import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionError } from "fastify";
import { errorBody } from "./errors.ts";
import { STANDARD_HEADERS } from "./standard-headers.ts";

type ParseError = Pick<ConnectionError, "code"> & { rawPacket?: unknown };

/** Answers what isn't HTTP, or not in time, in the same shape as everything else, and closes the connection. */
export function answerBrokenRequest(error: ParseError, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = statusOf(error);
  const body = errorBody(status);
  const headers = {
    ...STANDARD_HEADERS,
    "x-request-id": randomUUID(),
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () => socket.destroy());
}

function statusOf({ code, rawPacket }: ParseError): number {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  if (code !== "HPE_HEADER_OVERFLOW") return 400;
  // An address that alone fills what there is for the whole head leaves no end of its line in sight.
  return Buffer.isBuffer(rawPacket) && !rawPacket.includes(" HTTP/1.") ? 414 : 431;
}
