import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";

export const MAX_URL_BYTES = 8 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;

/** The status of a request that is refused by its head alone, HTTP/0.9 included; undefined for all others. */
export function refusalOfHead({ raw }: Pick<FastifyRequest, "raw">): number | undefined {
  if ((raw.url ?? "").length > MAX_URL_BYTES) return 414;
  if (raw.rawHeaders.length / 2 > MAX_HEADERS || headerBytes(raw.rawHeaders) > MAX_HEADER_BYTES) return 431;
  return raw.httpVersionMajor !== 1 || hasBadHost(raw) ? 400 : undefined;
}

/** HTTP/1.1 asks for one; none may have two, of which a proxy could have believed the other. */
function hasBadHost({ headers, rawHeaders, httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersionMajor === 1 && httpVersionMinor === 1;
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length > 1;
}

/** As they were sent, with `: ` and the end of the line. */
function headerBytes(rawHeaders: string[]): number {
  return rawHeaders.reduce((sum, part) => sum + part.length + 2, 0);
}

/** The path and query of a request whose line names a whole address, as it may; the host in it means nothing to us. */
export function withoutHost({ url = "/" }: Pick<IncomingMessage, "url">): string {
  return url.startsWith("/")
    ? url
    : url.replace(/^https?:\/\/[^/?#]*(?=[/?]|$)/i, "").replace(/^(?!\/|\*$)/, "/");
}
