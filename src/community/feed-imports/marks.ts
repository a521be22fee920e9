// Private characters stand for what Markdown writes in one way or another, depending on the characters beside it. They
// become Markdown when all text around them is known.

/** A bar in a table, which would end a cell. */
export const BAR = "\u{f8fd0}";
/** A line end of code in a table, where an empty line would end the HTML. */
export const LINE_END = "\u{f8fd1}";
/** The beginning of a link, which would be a picture behind an exclamation mark. */
export const LINK = "\u{f8fd8}";
const [ADDRESS, ADDRESS_END, END] = ["\u{f8fd2}", "\u{f8fd3}", "\u{f8fd4}"];
export const MARKS = /[\u{f8fd0}-\u{f8fd8}]/gu;

const EMPHASES = [
  { mark: "\u{f8fd5}", sign: "**", tag: "strong", names: "strong, b" },
  { mark: "\u{f8fd6}", sign: "*", tag: "em", names: "em, i" },
  { mark: "\u{f8fd7}", sign: "~~", tag: "del", names: "del, s, strike" },
];

/** Marks each paragraph. Other blocks can't be emphasized. */
export function emphasis(content: string, node: HTMLElement): string {
  const { mark = "", names = "" } = EMPHASES.find((one) => node.matches(one.names)) ?? {};
  const isWithin = node.parentElement?.closest(names) !== null;
  if (isWithin || node.querySelector("h1, h2, h3, h4, h5, h6, pre, table, ul, ol, blockquote, hr"))
    return content;
  return content.replaceAll(/\S.*(?:\n.+)*/g, `${mark}$&${END}`);
}

export const address = (text: string): string => ADDRESS + text + ADDRESS_END;

const ADDRESSES = /(?<=(.?))\u{f8fd2}([^\u{f8fd3}]*)\u{f8fd3}(?=(.?.?))/gsu;
const EMPHASIS = /(?<=(.?))([\u{f8fd5}-\u{f8fd7}])(\s*)([^\u{f8fd4}-\u{f8fd7}]*?)(\s*)\u{f8fd4}(?=(.?))/gsu;

const escaped = (text: string) => text.replaceAll(/[\\`*_~[\]<>&]/g, String.raw`\$&`);

/** Whether the renderer finds the address in plain text. */
const isPlain = (text: string, before: string, after: string) =>
  /^\s*$/.test(before) && /^(?:[.,:!?]?(?:\s|$))/.test(after) && /^https?:\/\/[\w./?=&%#+:~-]+$/i.test(text);

/** The text of a link, in which addresses are no links. */
export const withoutAddresses = (markdown: string): string =>
  markdown.replaceAll(ADDRESSES, (_all, before: string, text: string, after: string) =>
    isPlain(text, before, after) ? text : escaped(text).replace(":", String.raw`\:`),
  );

export function withoutMarks(markdown: string): string {
  let [text, before] = [markdown.replaceAll(ADDRESSES, addressText), ""];
  // The innermost ones come first.
  while (text !== before) [before, text] = [text, text.replaceAll(EMPHASIS, emphasisText)];
  return text
    .replaceAll(`!${LINK}`, String.raw`\!`)
    .replaceAll(LINE_END, "&#10;")
    .replaceAll(MARKS, "");
}

function addressText(_all: string, before: string, text: string, after: string): string {
  if (isPlain(text, before, after)) return text;
  if (/^www\./i.test(text)) return `[${escaped(text)}](${destination(`https://${text}`)})`;
  return text.startsWith("//") ? `[${escaped(text)}](${destination(text)})` : `<${text}>`;
}

export const destination = (href: string): string =>
  href.replaceAll(/[()\\]|&(?=#?\w{1,31};)/g, String.raw`\$&`);

/** Signs where they are read as such, else HTML. */
function emphasisText(_all: string, before: string, mark: string, ...others: string[]): string {
  const [leading = "", content = "", trailing = "", after = ""] = others;
  const { sign, tag } = EMPHASES.find((one) => one.mark === mark) ?? { sign: "", tag: "" };
  const isRead =
    before !== END &&
    !/^~|~$/.test(content) &&
    isFlanking(leading.at(-1) ?? before, /^[\p{L}\p{N}\p{M}]/u.test(content)) &&
    isFlanking(trailing[0] ?? after, /[\p{L}\p{N}\p{M}]$/u.test(content));
  const shown = isRead ? sign + content + sign : `<${tag}>${content}</${tag}>`;
  return leading + shown + trailing;
}

/** CommonMark's rule: beside letters, signs don't count next to punctuation. */
const isFlanking = (outside: string, isWithinLetter: boolean) =>
  !/[*~\\]/.test(outside) && (isWithinLetter || /^\s*$|[\p{P}\p{S}]/u.test(outside));
