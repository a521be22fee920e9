import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";

export const MAX_URL_BYTES = 8 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_HEADERS = 100;

/** The status of a request that is refused by its head alone, HTTP/0.9 included; undefined for all others. */
export function refusalOfHead({ raw }: Pick<FastifyRequest, "raw">): number | undefined {
  if ((raw.url ?? "").length > MAX_URL_BYTES) return 414;
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = raw;
  let bytes = 0;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index++) {
    const part = rawHeaders[index] ?? "";
    // With `: ` or the end of the line.
    bytes += part.length + 2;
    if (index % 2 === 0 && part.length === 4 && part.toLowerCase() === "host") hosts++;
  }
  if (rawHeaders.length / 2 > MAX_HEADERS || bytes > MAX_HEADER_BYTES) return 431;
  // HTTP/1.1 asks for a host; no request may have two, since a proxy may have believed the other.
  const isHostMissing = hosts === 0 && httpVersionMinor === 1;
  return httpVersionMajor !== 1 || isHostMissing || hosts > 1 ? 400 : undefined;
}

/** The path and query of a request whose line names a whole address, as it may; the host in it means nothing to us. */
export function withoutHost({ url = "/" }: Pick<IncomingMessage, "url">): string {
  return url.startsWith("/")
    ? url
    : url.replace(/^https?:\/\/[^/?#]*(?=[/?]|$)/i, "").replace(/^(?!\/|\*$)/, "/");
}
