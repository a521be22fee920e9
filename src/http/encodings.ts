import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";

export type Encoding = "br" | "gzip";

/** Smaller bodies fit into one packet. */
const MIN_BYTES = 1_024;

/** Takes about as long as gzip. */
const FAST = 5;

export type Packed = { [encoding in Encoding]?: Buffer | "asked for" | "in work" };

/**
 * The body in the client's preferred encoding. The second request starts its compression, in zlib's threads; until it
 * is done, the body is sent plain.
 * @param onPacked called when another form is there
 */
export function formFor(
  { body, packed }: { body: Buffer; packed: Packed },
  accepted: string | undefined,
  onPacked: () => void,
): { body: Buffer; encoding?: Encoding } {
  const encoding = body.length < MIN_BYTES ? undefined : preferredEncoding(accepted);
  if (encoding === undefined) return { body };
  const form = packed[encoding];
  if (Buffer.isBuffer(form)) return { body: form, encoding };
  if (form === undefined) packed[encoding] = "asked for";
  if (form === "asked for") void packInto(packed, { encoding, body }, onPacked);
  return { body };
}

async function packInto(
  packed: Packed,
  { encoding, body }: { encoding: Encoding; body: Buffer },
  onPacked: () => void,
): Promise<void> {
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

const known = new LRUCache<string, { encoding: Encoding | undefined }>({ max: 100 });

/** The highest weight in `Accept-Encoding`, then the smallest result. */
export function preferredEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined;
  let found = known.get(header);
  if (found === undefined) known.set(header, (found = { encoding: readPreference(header) }));
  return found.encoding;
}

function readPreference(header: string): Encoding | undefined {
  const weights = new Map(header.toLowerCase().split(",").map(weightOf));
  const weight = (encoding: Encoding | "identity") =>
    // An unnamed encoding may be plain, as the last choice.
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
