import { get } from "node:http";
import { buffer } from "node:stream/consumers";

/** An answer as it came over the wire, and as the bare server gives it again. */
export interface Answer {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  body: Buffer;
}

/** Headers that every Node server adds by itself, or that belong to one connection. */
const OWN_HEADERS = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

/** Asks once and keeps the answer byte for byte. */
export function capture(
  baseUrl: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Without an agent the connection ends with the answer, so that none is left when the server is stopped.
    get(new URL(path, baseUrl), { headers, agent: false }, (response) => {
      const { statusCode: status = 0, rawHeaders } = response;
      buffer(response).then((body) => resolve({ status, headers: withoutOwn(rawHeaders), body }), reject);
    }).on("error", reject);
  });
}

function withoutOwn(rawHeaders: string[]): string[] {
  return rawHeaders.filter(
    (_, index) => !OWN_HEADERS.has((rawHeaders[index - (index % 2)] as string).toLowerCase()),
  );
}
