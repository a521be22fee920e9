import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { etagOf, isKnown } from "./answers.ts";

type Encoding = "br" | "gzip" | "identity";

/** A text that stays the same while the process runs. Each encoding of it is made once. */
export interface ConstantText {
  type: string;
  body: Buffer;
  etag: string;
  encoded: Map<Encoding, Promise<Buffer>>;
}

export function constantText(type: string, text: string | Buffer): ConstantText {
  const body = Buffer.from(text);
  return { type, body, etag: etagOf(body), encoded: new Map() };
}

/** Sends the text in the encoding that the client prefers. */
export async function sendConstant(
  request: FastifyRequest,
  reply: FastifyReply,
  text: ConstantText,
): Promise<FastifyReply> {
  const encoding = preferredEncoding(request.headers["accept-encoding"] ?? "");
  const isPlain = encoding === "identity";
  const etag = isPlain ? text.etag : text.etag.replace(/"$/, `-${encoding}"`);
  reply.headers({ etag, vary: "Accept-Encoding" });
  if (isKnown(request, etag)) return reply.code(304).send();
  if (!isPlain) reply.header("content-encoding", encoding);
  return reply.type(text.type).send(await encodedAs(encoding, text));
}

function encodedAs(encoding: Encoding, { body, encoded }: ConstantText): Promise<Buffer> {
  const known = encoded.get(encoding);
  if (known !== undefined) return known;
  const made = ENCODERS[encoding](body);
  encoded.set(encoding, made);
  return made;
}

/** The last 4 % of brotli's levels 10 and 11 take ten times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const ENCODERS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, BROTLI),
  gzip: (body) => promisify(gzip)(body),
  identity: async (body) => body,
};

/** The encoding with the highest weight in `Accept-Encoding`, and the smallest one of several. */
function preferredEncoding(header: string): Encoding {
  const weights = new Map(header.toLowerCase().split(",").map(weightOf));
  const weight = (encoding: Encoding) =>
    // What isn't named may still be sent plain, as the last choice.
    weights.get(encoding) ?? (encoding === "identity" ? Number.MIN_VALUE : (weights.get("*") ?? 0));
  const [first = "identity"] = (["br", "gzip", "identity"] as const).toSorted(
    (one, other) => weight(other) - weight(one),
  );
  return first;
}

function weightOf(choice: string): [name: string, weight: number] {
  const [name = "", ...parameters] = choice.split(";").map((part) => part.trim());
  const quality = parameters.find((one) => one.startsWith("q="));
  return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
}
