import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyRequest } from "fastify";

export const VENDOR_TYPE = "application/vnd.service.api-v1+json";
export const JSON_TYPE = "application/json";

export function isJsonType(contentType: string): boolean {
  return [JSON_TYPE, VENDOR_TYPE].includes(essenceOf(contentType));
}

type Typed = Pick<FastifyRequest, "headers" | "routeOptions">;

/** The vendor type, unless a client accepts only plain JSON; search gives it to those too. */
export function mediaType(request: Typed): string {
  return `${prefersPlain(request) ? JSON_TYPE : VENDOR_TYPE}; charset=utf-8`;
}

function prefersPlain(request: Typed): boolean {
  if (isForemClient(request)) return true;
  const { accept } = request.headers;
  if (accept === undefined || request.routeOptions.config.isSearch) return false;
  const types = accept.split(",").map(essenceOf);
  return types.includes(JSON_TYPE) && !types.includes(VENDOR_TYPE);
}

function essenceOf(type: string): string {
  return (type.split(";")[0] ?? "").trim().toLowerCase();
}

/** The compatibility profile for clients written for Forem, except pages 0 and 1 of search, which are the same. */
const FOREM_TYPE = "application/vnd.forem.api-v1+json";

const ALSO_CALLED = { microblog_username: "twitter_username", codehost_username: "github_username" } as const;

export function isForemClient({ headers }: { headers: IncomingHttpHeaders }): boolean {
  return headers.accept?.toLowerCase().includes(FOREM_TYPE) ?? false;
}

export function toForem(body: string): string {
  return JSON.stringify(JSON.parse(body), (_key, value: unknown) => withOldNames(value));
}

function withOldNames(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("microblog_username" in value)) return value;
  const entries = Object.entries(value).flatMap(([key, held]) => {
    const old = ALSO_CALLED[key as keyof typeof ALSO_CALLED] as string | undefined;
    return old === undefined ? [[key, held] as const] : [[key, held] as const, [old, held] as const];
  });
  return Object.fromEntries(entries);
}

export type Encoding = "br" | "gzip";

/** Smaller bodies fit into one packet. */
const MIN_BYTES = 1_024;

/** The level of Brotli that takes about as long as gzip. */
const FAST = 5;

export type Packed = { [encoding in Encoding]?: Buffer | "asked for" | "in work" };

interface Packable {
  body: Buffer;
  packed: Packed;
}

/**
 * The body in the client's preferred encoding. Unless it is there, the second request starts its compression, in
 * zlib's threads; until it is done, the body is sent plain.
 * @param onPacked called when another form is there
 */
export function formFor(
  { body, packed }: Packable,
  accepted: string | undefined,
  onPacked: () => void,
): { body: Buffer; encoding?: Encoding } {
  const encoding = encodingFor(body, accepted);
  if (encoding === undefined) return { body };
  const form = packed[encoding];
  if (Buffer.isBuffer(form)) return { body: form, encoding };
  if (form === undefined) packed[encoding] = "asked for";
  if (form === "asked for") void packInto(packed, { body, encoding, onPacked });
  return { body };
}

/** Whether a client gets the body in the encoding that it gets from now on. */
export function hasForm({ body, packed }: Packable, accepted: string | undefined): boolean {
  const encoding = encodingFor(body, accepted);
  return encoding === undefined || Buffer.isBuffer(packed[encoding]);
}

/** Packs a body that hasn't been asked for in the client's preferred encoding, for `formFor` to find. */
export async function packFor(
  { body, packed }: Packable,
  accepted: string | undefined,
  onPacked: () => void,
): Promise<void> {
  const encoding = encodingFor(body, accepted);
  if (encoding !== undefined && packed[encoding] === undefined) {
    await packInto(packed, { body, encoding, onPacked });
  }
}

function encodingFor(body: Buffer, accepted: string | undefined): Encoding | undefined {
  return body.length < MIN_BYTES ? undefined : preferredEncoding(accepted);
}

interface Packing {
  body: Buffer;
  encoding: Encoding;
  onPacked: () => void;
}

async function packInto(packed: Packed, { body, encoding, onPacked }: Packing): Promise<void> {
  packed[encoding] = "in work";
  try {
    packed[encoding] = await pack(body, encoding);
    onPacked();
  } catch {
    delete packed[encoding];
  }
}

export function pack(body: Buffer, encoding: Encoding, level = FAST): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(body);
  return promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level } });
}

/** The highest weight in `Accept-Encoding`, then the smallest result. */
export function preferredEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  const weights = new Map(header.toLowerCase().split(",").map(weightOf));
  const weight = (encoding: Encoding | "identity") =>
    // A plain body is the last choice where the header doesn't name it.
    weights.get(encoding) ?? (encoding === "identity" ? Number.MIN_VALUE : (weights.get("*") ?? 0));
  const [first = "identity"] = (["br", "gzip", "identity"] as const).toSorted(
    (one, other) => weight(other) - weight(one),
  );
  return first === "identity" ? undefined : first;
}

function weightOf(choice: string): [name: string, weight: number] {
  const [name = "", ...parameters] = choice.split(";").map((part) => part.trim());
  const quality = parameters.find((one) => one.startsWith("q="));
  return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
}
