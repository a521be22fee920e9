import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { openZip, type Zip } from "../archives/zip.ts";
import { invalid } from "../errors.ts";
import type { Format, Source } from "./reader.ts";

/** What comes before the first mark of a format, such as the comments at the head of an export of WordPress. */
const HEAD_BYTES = 64 * 1024;

export interface Detected {
  format: Format;
  sources: Source[];
}

/**
 * Recognizes files by their first bytes and the names in archives, unless the format is given.
 * @throws AppError invalid
 */
export async function detect(paths: readonly string[], given?: Format): Promise<Detected> {
  const sources: Source[] = [];
  let format = given;
  try {
    for (const path of paths) {
      const one = await detectFile(path);
      format ??= one.format;
      if (one.format !== format && given === undefined) throw invalid(mixed(paths[0] ?? path, format, one));
      sources.push(...one.sources);
    }
  } catch (error) {
    close(sources);
    throw error;
  }
  return { format: format ?? "community", sources };
}

export function close(sources: readonly Source[]): void {
  for (const { zip } of sources) zip?.close();
}

async function detectFile(path: string): Promise<Detected> {
  const head = await headOf(path);
  if (head.toString("latin1", 0, 2) === "PK") return inZip(await openZip(path));
  const source = { name: path, open: async () => createReadStream(path) };
  return { format: formatOf(path, head), sources: [source] };
}

async function inZip(zip: Zip): Promise<Detected> {
  const names = [...zip.entries.keys()];
  const whole = { name: zip.path, zip, open: () => Promise.reject(invalid(`${zip.path} is an archive.`)) };
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (zip.entries.has("community.ndjson")) return { format: "inkstone", sources: [whole] };
  if (has(/^([^/]+\/)?articles\.json$/)) return { format: "forem", sources: [whole] };
  if (has(/^([^/]+\/)?content\//)) return { format: "ghost", sources: [whole] };
  const exports = [...zip.entries.values()].filter(({ name }) => name.endsWith(".xml"));
  if (exports.length > 0) {
    const sources = exports.map((entry) => ({
      name: `${entry.name} in ${zip.path}`,
      zip,
      open: () => zip.read(entry),
    }));
    return { format: "wordpress", sources };
  }
  zip.close();
  throw invalid(
    `${zip.path} has neither community.ndjson, articles.json, a folder content nor an XML file: name its format with --format.`,
  );
}

function formatOf(path: string, head: Buffer): Format {
  if ([0xfeff, 0xfffe].includes(head.length > 1 ? head.readUInt16BE(0) : 0)) {
    throw invalid(`${path} is UTF-16: save it as UTF-8.`);
  }
  const text = head.toString("utf8").replace(/^\uFEFF/, "").trimStart();
  if (text.startsWith("<")) {
    if (/<rss\b/.test(text) && /wordpress\.org\/export\/|<wp:wxr_version>/.test(text)) return "wordpress";
    throw invalid(`${path} is XML, but no export of WordPress.`);
  }
  return /^\{\s*"(db|meta|data)"\s*:/.test(text) ? "ghost" : "community";
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function mixed(first: string, format: Format, other: Detected): string {
  return `${first} is of the format ${format} and ${other.sources[0]?.name} of ${other.format}: import them one by one.`;
}
