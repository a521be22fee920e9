const ENTITIES: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

/** Unescapes output of `sanitise`, which has no other entities. */
export function unescape(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** Anything but a single space. */
const LONG_SPACE = /[^\S ]\s*| \s+/g;

/**
 * The text of HTML on one line, without the signs of footnotes. It reads output of `sanitise` only, which has no other
 * entities and no bare angle brackets.
 */
export function plainText(html: string): string {
  const text = html
    .replaceAll(/<(sup|a) class="footnote-(?:ref|back)"[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<\/?(?:a|b|strong|i|em|u|s|code|span|sub|sup|small|mark|abbr|kbd|del|ins|wbr)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ");
  return unescape(text).replaceAll(LONG_SPACE, " ").trim();
}

const MAX_CHARACTERS = 104;
const ELLIPSIS = "...";
/** A text without spaces is cut at the limit. */
const MIN_KEPT = 60;

/** The description of a text without its own: one line of at most 104 characters. */
export function describe(text: string, authorName: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line === "") return `A post by ${authorName}`;

  // Cuts a long text before it is taken apart.
  const characters = Array.from(line.slice(0, (MAX_CHARACTERS + 1) * 2));
  if (characters.length <= MAX_CHARACTERS) return line;
  const length = MAX_CHARACTERS - ELLIPSIS.length;
  const boundary = characters.lastIndexOf(" ", length);
  const end = boundary >= MIN_KEPT ? boundary : length;
  return characters.slice(0, end).join("").trimEnd() + ELLIPSIS;
}

/** Every description needs fewer characters. */
const ENOUGH = 1_000;

const PIECE = /<(\/?)([a-z0-9]+)([^>]*)>|[^<]+/g;
const INLINE =
  /^(?:a|b|strong|i|em|u|s|code|span|sub|sup|small|mark|abbr|kbd|del|ins|wbr|q|cite|time|var|samp|br|img|dfn|tt|big|strike|bdi|bdo|ruby|rt|rp)$/;
/** Elements whose text stands beside the running text. */
const APART = /^(?:h[1-6]|pre|table|figure|figcaption|summary|rt|rp)$/;
const LIST = /^(?:ul|ol|dl)$/;
const APART_CLASS = /class="(?:[^"]* )?(?:embed|cta|footnotes|footnote-ref|footnote-back)[ "]/;
const EMPHASIS = /^(?:em|i|small)$/;

interface Paragraph {
  text: string;
  plain: string;
  hasImage: boolean;
}

/**
 * The beginning of the running text of output of `sanitise`: without headings, code blocks, tables, captions of images,
 * embeds and lists. A body without running text gives that of its lists, else all its text.
 */
export function runningText(html: string, most = ENOUGH): string {
  return (
    textOf(html, { hasLists: false, most }) ||
    textOf(html, { hasLists: true, most }) ||
    plainText(html.slice(0, 20_000)).slice(0, most)
  );
}

function textOf(html: string, options: { hasLists: boolean; most: number }): string {
  let text = "";
  let isCaption = false;
  for (const paragraph of paragraphs(html, options)) {
    const isEmphasis = paragraph.plain.trim() === "";
    const isImage = paragraph.hasImage && isEmphasis;
    // A line of emphasis in or behind an image.
    if (!isImage && !(isCaption && isEmphasis)) text += ` ${paragraph.text}`;
    isCaption = isImage && paragraph.text.trim() === "";
    if (text.length > options.most) break;
  }
  return plainText(text)
    .slice(0, options.most)
    .replace(/[\ud800-\udbff]$/, "");
}

/** Generates paragraphs one by one, because callers read only the beginning. */
function* paragraphs(html: string, { hasLists }: { hasLists: boolean }): Generator<Paragraph> {
  let paragraph: Paragraph = { text: "", plain: "", hasImage: false };
  let [emphasis, depth] = [0, 0];
  /** The element apart, within which everything is skipped. */
  let apart: string | undefined;
  for (const [piece, slash = "", tag, attributes = ""] of html.matchAll(PIECE)) {
    if (apart !== undefined) {
      if (tag === apart) depth += slash === "" ? 1 : -1;
      if (depth === 0) apart = undefined;
      continue;
    }
    if (tag === undefined) {
      paragraph.text += piece;
      if (emphasis === 0) paragraph.plain += piece;
      continue;
    }
    if (!INLINE.test(tag)) {
      if (paragraph.text.trim() !== "" || paragraph.hasImage) yield paragraph;
      paragraph = { text: "", plain: "", hasImage: false };
    }
    if (tag === "img") paragraph.hasImage = true;
    if (tag === "br") paragraph.text += " ";
    if (EMPHASIS.test(tag)) emphasis += slash === "" ? 1 : -1;
    const isApart = APART.test(tag) || APART_CLASS.test(attributes) || (LIST.test(tag) && !hasLists);
    if (isApart && slash === "") [apart, depth] = [tag, 1];
  }
  yield paragraph;
}

const MAX_EXCERPT = 160;
/** Whole sentences that are shorter say too little. */
const MIN_SENTENCES = 80;
const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });

/** The first sentences of a running text, at most 160 characters. */
export function excerptOf(text: string): string {
  if (text.length <= MAX_EXCERPT) return text;
  let end = 0;
  for (const { index, segment } of SENTENCES.segment(text.slice(0, 2 * MAX_EXCERPT))) {
    const stop = index + segment.trimEnd().length;
    if (stop > MAX_EXCERPT) break;
    end = stop;
  }
  return end >= MIN_SENTENCES ? text.slice(0, end) : cutBehindWord(text);
}

/** @param html output of `sanitise` */
export function beginningOf(html: string): string {
  return excerptOf(runningText(html));
}

/** The first words, of at most this many characters. @param html output of `sanitise` */
export function firstWords(html: string, most: number): string {
  const text = runningText(html, most + 1);
  return text.length > most ? cutBehindWord(text, most) : text;
}

/** The ellipsis stays in the line of the last word. */
function cutBehindWord(text: string, most = MAX_EXCERPT): string {
  const space = text.lastIndexOf(" ", most - 1);
  const cut = text.slice(0, space > most / 2 ? space : most - 1);
  return `${cut.replace(/[\ud800-\udbff]$/, "").replace(/[\s,;:–—-]+$/, "")}…`;
}
