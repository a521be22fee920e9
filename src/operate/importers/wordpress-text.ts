import { element } from "../../content/text/xml.ts";

export interface Attachment {
  url: string;
  alt: string;
}

interface PostHtml {
  html: string;
  shortcodes: string[];
}

/** The HTML that WordPress shows for a post. `gallery` finds pictures by ids, or those of the post. */
export function postHtml(text: string, gallery: (ids: string[] | undefined) => Attachment[]): PostHtml {
  const verbatim: string[] = [];
  const hold = (html: string) => `<pre data-held="${verbatim.push(html) - 1}"></pre>`;
  const plain = replaceBetween(
    text.replaceAll(/\r\n?/g, "\n"),
    VERBATIM,
    (whole, content, name, attributes) => hold(name === undefined ? whole : codeBlock(content, attributes)),
  );
  const hasBlocks = /<!--\s+wp:/.test(plain);
  const bare = replaceBetween(plain, COMMENT, () => "");
  const captioned = replaceBetween(bare, ENCLOSING, (_whole, content, name, attributes) =>
    name === "embed" ? embed(content) : figure(content, attributes),
  );
  const translated = captioned.replaceAll(GALLERY, (_whole, attributes: string) => {
    const { ids, include = ids } = attributesOf(attributes);
    const pictures = gallery(include?.split(",").map((id) => id.trim()));
    return pictures
      .map(({ url, alt }) => element("figure", {}, element("img", { src: url, alt })).xml)
      .join("\n");
  });
  const shortcodes = shortcodesIn(translated);
  const unescaped = translated.replaceAll(ESCAPED, "$1");
  const html = hasBlocks ? unescaped : paragraphs(unescaped);
  return {
    html: html.replaceAll(HELD, (_whole, index: string) => verbatim[Number(index)] ?? ""),
    shortcodes,
  };
}

/** Two brackets show a shortcode instead of using it. */
const opening = (names: string) => String.raw`(?<!\[)\[(${names})((?:[\s/][^[\]]*)?)\](?!\])`;

const VERBATIM = new RegExp(String.raw`<pre(?=[\s>])|${opening("code|sourcecode")}`, "g");
const COMMENT = /<!--/g;
const ENCLOSING = new RegExp(opening("caption|wp_caption|embed"), "g");
const GALLERY = /(?<!\[)\[gallery((?:\s[^[\]]*)?)\](?!\])/g;
const ANY = new RegExp(opening(String.raw`[a-zA-Z][\w-]*`), "g");
const ESCAPED = /\[(\[[^[\]]*\](?:[^[\]]*\[\/[\w-]+\])?)\]/g;
const HELD = /<pre data-held="(\d+)"><\/pre>/g;

/** Replaces what begins with a match and ends with its closing tag. What isn't closed stays. */
function replaceBetween(
  text: string,
  begins: RegExp,
  make: (whole: string, content: string, name: string | undefined, attributes: string) => string,
): string {
  const missing = new Set<string>();
  let [result, from] = ["", 0];
  for (const { 0: start, 1: name, 2: attributes = "", index } of text.matchAll(begins)) {
    const closing = name === undefined ? (start === "<!--" ? "-->" : "</pre>") : `[/${name}]`;
    // A text with many beginnings is searched once.
    if (index < from || missing.has(closing)) continue;
    const end = text.indexOf(closing, index + start.length);
    if (end < 0) missing.add(closing);
    else {
      const after = end + closing.length;
      const content = text.slice(index + start.length, end);
      result += text.slice(from, index) + make(text.slice(index, after), content, name, attributes);
      from = after;
    }
  }
  return result + text.slice(from);
}

function attributesOf(text: string): Record<string, string | undefined> {
  const pairs = text.matchAll(/(?<![a-z_])([a-z_]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g);
  return Object.fromEntries(
    [...pairs].map(([, name = "", ...values]) => [name, values.find((one) => one !== undefined)]),
  );
}

/** The code may be written as HTML or as it is. */
function codeBlock(code: string, attributes: string): string {
  const { language, lang = language } = attributesOf(attributes);
  const name = /^[a-z0-9+#-]{1,30}$/i.exec(lang ?? "")?.[0];
  const names = name === undefined ? "" : ` class="language-${name}"`;
  return `<pre><code${names}>${code.replaceAll("<", "&lt;")}</code></pre>`;
}

/** The renderer embeds an address on a line of its own. */
function embed(content: string): string {
  const address = content.trim().replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `\n\n<p><a href="${address}">${address}</a></p>\n\n`;
}

const PICTURE = /^\s*((?:<a\s[^>]*>\s*)?<img\s[^>]*>(?:\s*<\/a>)?)([\s\S]*)$/i;

function figure(content: string, attributes: string): string {
  const [, picture = content, words = ""] = PICTURE.exec(content) ?? [];
  const caption = words.trim() || (attributesOf(attributes)["caption"] ?? "");
  return `<figure>${picture}${caption === "" ? "" : `<figcaption>${caption}</figcaption>`}</figure>`;
}

/** Words in brackets are no shortcode, unless they have attributes or an end. */
function shortcodesIn(text: string): string[] {
  const closed = new Set([...text.matchAll(/\[\/([\w-]+)\]/g)].map(([, name]) => name));
  return [...text.matchAll(ANY)].flatMap(([, name = "", attributes = ""]) =>
    closed.has(name) || /=|\/$/.test(attributes) ? name : [],
  );
}

const BLOCKS =
  `address|article|aside|blockquote|caption|col|colgroup|dd|details|div|dl|dt|fieldset|figcaption|figure|
  footer|form|h[1-6]|header|hgroup|hr|legend|li|main|menu|nav|ol|p|pre|section|style|summary|table|tbody|td|tfoot|th|
  thead|tr|ul`.replaceAll(/\s/g, "");
const BLOCK_BEGINS = new RegExp(`<(?:${BLOCKS})(?=[\\s/>])`, "gi");
const BLOCK_ENDS = new RegExp(`</(?:${BLOCKS})>`, "gi");
const IS_BLOCK = new RegExp(`^</?(?:${BLOCKS})(?=[\\s/>])`, "i");

/** Makes paragraphs of what blank lines divide, unless it is a block already, and lines within them. */
function paragraphs(text: string): string {
  return text
    .replaceAll(BLOCK_BEGINS, "\n\n$&")
    .replaceAll(BLOCK_ENDS, "$&\n\n")
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => (IS_BLOCK.test(part) ? part : `<p>${part.split("\n").join("<br>\n")}</p>`))
    .join("\n");
}
