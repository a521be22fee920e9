import { FeedProblem } from "./feed.ts";

export interface Document {
  kind: "rss" | "atom" | "rdf" | "json";
  text: string;
}

/** More than in any honest feed; decoding them is expensive. */
const MAX_NUMERIC_REFERENCES = 50_000;

// oxlint-disable-next-line no-control-regex -- those that XML does not allow
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

const KINDS: Record<string, Document["kind"]> = { rss: "rss", feed: "atom", rdf: "rdf" };

/** @throws FeedProblem for an unknown format or declared entities */
export function recognise(decoded: string): Document {
  const text = decoded
    .replace(/^\ufeff/, "")
    .replaceAll(FORBIDDEN, "")
    .trim();
  if (text === "") throw new FeedProblem("The feed is empty.");
  if (/^[{[]/.test(text)) return { kind: "json", text };
  if (!text.startsWith("<"))
    throw new FeedProblem("The response is neither XML nor JSON, so it is not a feed.");
  checkReferences(text);
  const rest = afterProlog(text);
  const root = /^<(?:[\w.-]{1,40}:)?([\w.-]{1,40})/.exec(rest)?.[1]?.toLowerCase();
  if (root === "html") throw new FeedProblem("What is there is a web page, not a feed.");
  const kind = KINDS[root ?? ""];
  if (kind === undefined) throw new FeedProblem("What is there is XML, but neither RSS nor Atom.");
  return { kind, text: rest };
}

function checkReferences(text: string): void {
  let count = 0;
  for (let at = text.indexOf("&#"); at !== -1; at = text.indexOf("&#", at + 2)) {
    if (++count > MAX_NUMERIC_REFERENCES)
      throw new FeedProblem(`The feed has more than ${MAX_NUMERIC_REFERENCES} numeric character references.`);
  }
}

/** A document type before the first element may only do harm. */
function afterProlog(text: string): string {
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? "")) at++;
    if (text.startsWith("<!--", at)) at = behind(text, "-->", at);
    else if (text.startsWith("<?", at)) at = behind(text, "?>", at);
    else if (/^<!doctype/i.test(text.slice(at, at + 9))) at = afterDocumentType(text, at);
    else return text.slice(at);
  }
}

function afterDocumentType(text: string, start: number): number {
  const end = text.slice(start).search(/[[>]/);
  if (end === -1) throw new FeedProblem("The feed breaks off before its first element.");
  if (text[start + end] === "[")
    throw new FeedProblem("The feed declares a document type or entities of its own, which is not read.");
  return start + end + 1;
}

function behind(text: string, end: string, start: number): number {
  const at = text.indexOf(end, start);
  if (at === -1) throw new FeedProblem("The feed breaks off before its first element.");
  return at + end.length;
}

/** Any byte is a character of these encodings, so only UTF-8 can be told from them. */
const SINGLE_BYTE = /^(windows-|iso-8859-|koi8-|macintosh|x-mac-|ibm866)/;

const BYTE_ORDER_MARKS: readonly [label: string, mark: readonly number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
  // No mark, but the first character of XML or JSON.
  ["utf-16le", [0x3c, 0x00]],
  ["utf-16be", [0x00, 0x3c]],
  ["utf-16le", [0x7b, 0x00]],
  ["utf-16be", [0x00, 0x7b]],
];

/** Believes the declared encoding if the bytes are valid in it: many feeds declare a wrong one. */
export function decode(bytes: Uint8Array, contentType: string | undefined): string {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return new TextDecoder(marked[0]).decode(bytes);
  const declared = [charsetOf(contentType), declaredIn(bytes)].filter((label) => label !== undefined);
  const strict = declared.filter((label) => !SINGLE_BYTE.test(label) && !label.startsWith("utf-16"));
  for (const label of [...strict, "utf-8", ...declared.filter((each) => SINGLE_BYTE.test(each))]) {
    const text = attempt(label, bytes);
    if (text !== undefined) return text;
  }
  return new TextDecoder("windows-1252").decode(bytes);
}

function charsetOf(contentType = ""): string | undefined {
  return known(/;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType)?.[1]);
}

/** The first line of XML is ASCII in all encodings that need it. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder("windows-1252").decode(bytes.subarray(0, 200));
  return known(/^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(beginning)?.[1]);
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function attempt(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
