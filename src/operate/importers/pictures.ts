import { readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Zip, ZipEntry } from "../archives/zip.ts";
import { faultIn, reasonOf } from "../../platform/db/failures.ts";
import { AppError, invalid } from "../../platform/errors.ts";
import { IMAGE_LIMITS } from "../../content/images/images.ts";
import type { CommunityRecord } from "./reader.ts";

const TEXTS = ["body_markdown", "main_image", "video_thumbnail_url"];
const ADDRESS = /^(?:https?:\/)?\/[^?#]+\.(?:avif|bmp|gif|jpe?g|png|svg|tiff?|webp)(?:[?#].*)?$/i;
/** Words that begin like an address, between what Markdown and HTML have around one. */
const WORD = /(?<![^\s"'<>()[\]\\])(?:https?:\/)?\/[^\s"'<>()[\]\\]+/gi;

interface Places {
  fileOf: (url: string) => string | undefined;
  find: (name: string) => Promise<Buffer | undefined>;
  /** Keeps a picture and returns its address here. @throws AppError invalid */
  keep: (picture: { owner: string; bytes: Buffer; name: string }) => Promise<string>;
}

/** Replaces the addresses of pictures that are at hand by those of uploads, and notes why others stay. */
export function embedPictures({ fileOf, find, keep }: Places) {
  const made = new Map<string, string>();
  const kept = new Map<string, string>();

  async function replacement(url: string, owner: string): Promise<string | undefined> {
    const key = `${owner} ${url}`;
    const before = made.get(key);
    if (before !== undefined || kept.has(url)) return before;
    const file = fileOf(url);
    const name = file === undefined ? undefined : decoded(file);
    try {
      const bytes = name === undefined ? undefined : await find(name).catch(refuse);
      if (name !== undefined && bytes !== undefined) {
        const address = await keep({ owner, bytes, name: name.slice(name.lastIndexOf("/") + 1) });
        made.set(key, address);
        return address;
      }
      kept.set(url, name === undefined ? "it is on another site" : "its file is missing");
    } catch (error) {
      const fault = faultIn(error);
      if (fault === undefined) throw error;
      kept.set(url, fault);
    }
    return undefined;
  }

  return {
    kept,
    get made() {
      return new Set(made.values()).size;
    },
    async embed(record: CommunityRecord): Promise<CommunityRecord> {
      const { author } = record;
      if (typeof author !== "string") return record;
      const changed: Record<string, string> = {};
      for (const key of TEXTS) {
        const text = record[key];
        if (typeof text !== "string") continue;
        const urls = [...new Set(text.match(WORD))].filter((word) => ADDRESS.test(word));
        const places = new Map<string, string>();
        for (const url of urls) places.set(url, (await replacement(url, author.toLowerCase())) ?? url);
        if (urls.length > 0) changed[key] = text.replaceAll(WORD, (word) => places.get(word) ?? word);
      }
      return { ...record, ...changed };
    },
  };
}

function refuse(error: unknown): never {
  throw error instanceof AppError ? error : invalid(`its file can't be read (${reasonOf(error)})`);
}

export function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The files of archives, wherever in them the folder is, and of `--files`, which is it or has it. */
export async function filesOf(zips: readonly Zip[], folder: string, files: string | undefined) {
  const root = files === undefined ? undefined : await realpath(files);
  const entries = new Map<string, { zip: Zip; entry: ZipEntry }>();
  for (const zip of zips) {
    for (const [name, entry] of zip.entries) {
      const at = `/${name}`.indexOf(`/${folder}`);
      if (at >= 0) entries.set(name.slice(at + folder.length), { zip, entry });
    }
  }
  return async (name: string): Promise<Buffer | undefined> => {
    const packed = entries.get(name);
    if (packed !== undefined) return packed.zip.bytes(packed.entry, IMAGE_LIMITS.bytes);
    if (root === undefined) return undefined;
    return (await readWithin(root, name)) ?? readWithin(root, join(folder, name));
  };
}

/** Names come from strangers: a file elsewhere is no picture of theirs. */
async function readWithin(root: string, name: string): Promise<Buffer | undefined> {
  const path = name.includes("\0") ? undefined : await realpath(join(root, name)).catch(() => undefined);
  if (path === undefined || !path.startsWith(root + sep)) return undefined;
  const found = await stat(path);
  return found.isFile() && found.size <= IMAGE_LIMITS.bytes ? readFile(path) : undefined;
}
