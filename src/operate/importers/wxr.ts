import { SaxesParser } from "saxes";
import { invalid } from "../../platform/errors.ts";
import { quote } from "../../platform/text/quote.ts";
import type { Source } from "./reader.ts";

/** The texts of the elements in a group, by their names, such as `wp:post_id`. */
export type Texts = ReadonlyMap<string, string>;

export interface WxrItem {
  texts: Texts;
  terms: { taxonomy: string; name: string }[];
  meta: Map<string, string>;
  comments: Texts[];
  site: Texts;
}

export type WxrPart = { author: Texts } | { item: WxrItem };

export const textIn = (texts: Texts, name: string): string => texts.get(name)?.trim() ?? "";

/** A date, in UTC where the export has it so: drafts have zeros in its place. */
export function dateIn(texts: Texts, name: string): string {
  const inUtc = textIn(texts, `${name}_gmt`);
  return inUtc === "" || inUtc.startsWith("0000") ? textIn(texts, name) : inUtc;
}

/** Elements whose parts belong together. */
const GROUPS = new Set(["channel", "item", "wp:author", "wp:comment", "wp:postmeta"]);
/** Other metadata is left out while reading: plugins keep whole pages there. */
const META = new Set(["_thumbnail_id", "_wp_attachment_image_alt"]);

/** The longest text or tag: far more than any has, and small in memory. */
const MAX_TEXT = 8 * 1024 * 1024;
const MAX_ITEM = 64 * 1024 * 1024;
const MAX_DEPTH = 100;

/** Control characters that WordPress writes although XML can't hold them. NUL is a fault. */
const CONTROLS = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

/** Reads WXR 1.0 to 1.2, one author or item after another. @throws AppError invalid with file and line */
export async function* readWxr({ name, open }: Source): AsyncGenerator<WxrPart> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = createReader(name);
  const read = (bytes?: Buffer) => {
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw invalid(`${name} isn't valid UTF-8: save it in that encoding.`);
    }
    return reader.read(text.replaceAll(CONTROLS, (sign) => (sign === "\0" ? sign : "")));
  };
  const stream = await open();
  try {
    for await (const chunk of stream) yield* read(chunk as Buffer);
    yield* read();
    reader.end();
  } finally {
    stream.destroy();
  }
}

function createReader(file: string) {
  const parser = new SaxesParser();
  const groups = createGroups(refuse);
  let parts: WxrPart[] = [];
  let [text, depth, isAtEnd] = ["", 0, false];
  /** Characters that the parser has, but hasn't reported yet. */
  let held = 0;

  function refuse(fault: string): never {
    throw invalid(`${file}, line ${parser.line}: ${fault}.`);
  }
  function add(more: string): void {
    [held, text] = [0, text + more];
    if (text.length > MAX_TEXT) refuse("a text is longer than 8 MiB");
  }
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("opentag", ({ name, attributes }) => {
    [held, text, depth] = [0, "", depth + 1];
    if (depth > MAX_DEPTH) refuse(`elements are more than ${MAX_DEPTH} deep in each other`);
    groups.open(name, attributes["domain"]);
  });
  parser.on("closetag", ({ name }) => {
    const part = groups.close(name, text);
    [held, text, depth] = [0, "", depth - 1];
    if (part) parts.push(part);
  });
  refuseOtherForms(parser, refuse);
  parser.on("error", ({ message }) => {
    if (isAtEnd) refuse("it ends in the middle: get the whole file");
    refuse(`it isn't well-formed XML (${message.replaceAll(/^[\d:]+ |\.$/g, "")})`);
  });

  return {
    read(chunk: string): WxrPart[] {
      held += chunk.length;
      parser.write(chunk);
      if (held > MAX_TEXT) refuse("a text, tag or comment is longer than 8 MiB");
      const read = parts;
      parts = [];
      return read;
    },
    end(): void {
      isAtEnd = true;
      parser.close();
      groups.checkVersion();
    },
  };
}

function refuseOtherForms(parser: SaxesParser, refuse: (fault: string) => never): void {
  parser.on("xmldecl", ({ encoding = "utf-8" }) => {
    if (!/^(utf-?8|us-ascii)$/i.test(encoding)) refuse(`it is in ${quote(encoding)}: save it as UTF-8`);
  });
  parser.on("doctype", () =>
    refuse("it has a document type (<!DOCTYPE), whose entities aren't read: remove it"),
  );
}

function createGroups(refuse: (fault: string) => never) {
  const groups: { name: string; texts: Map<string, string> }[] = [];
  const site = new Map<string, string>();
  let item: WxrItem | undefined;
  let [taxonomy, size] = [undefined as string | undefined, 0];

  function checkVersion(): void {
    const version = site.get("wp:wxr_version");
    if (version === undefined) refuse("it has no wp:wxr_version, as each export of WordPress has");
    if (!/^1\.[0-2]$/.test(version)) refuse(`it is WXR ${quote(version)}, and 1.0, 1.1 and 1.2 can be read`);
  }

  function closeGroup(name: string, texts: Texts): WxrPart | undefined {
    if (name === "wp:author") return { author: texts };
    if (name === "wp:comment") item?.comments.push(texts);
    const key = name === "wp:postmeta" ? textIn(texts, "wp:meta_key") : "";
    if (META.has(key)) item?.meta.set(key, textIn(texts, "wp:meta_value"));
    if (name !== "item" || !item) return undefined;
    const part = { item };
    item = undefined;
    return part;
  }

  return {
    checkVersion,
    open(name: string, domain: string | undefined): void {
      taxonomy = name === "category" ? domain : undefined;
      if (!GROUPS.has(name)) return;
      const texts = name === "channel" ? site : new Map<string, string>();
      groups.push({ name, texts });
      if (name !== "item") return;
      checkVersion();
      size = 0;
      item = { texts, terms: [], meta: new Map(), comments: [], site };
    },
    close(name: string, text: string): WxrPart | undefined {
      const group = groups.at(-1);
      if (group?.name === name) return closeGroup(name, groups.pop()?.texts ?? new Map());
      size += text.length;
      if (size > MAX_ITEM) refuse("an item with its comments is longer than 64 MiB");
      if (taxonomy === undefined) group?.texts.set(name, text);
      else item?.terms.push({ taxonomy, name: text.trim() });
      taxonomy = undefined;
      return undefined;
    },
  };
}
