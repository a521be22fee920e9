export interface Xml {
  xml: string;
}

type Content = Xml | string | undefined;
type Attributes = Record<string, string | undefined>;

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Escapes any text, and omits undefined attributes and contents. */
export function element(name: string, attributes: Attributes, ...contents: Content[]): Xml {
  const start = name + Object.entries(attributes).map(attribute).join("");
  const inner = contents.map(written).join("");
  return { xml: inner === "" ? `<${start}/>` : `<${start}>${inner}</${name}>` };
}

function attribute([name, value]: [string, string | undefined]): string {
  return value === undefined ? "" : ` ${name}="${escapeAttribute(value)}"`;
}

function written(content: Content): string {
  if (content === undefined) return "";
  return typeof content === "string" ? escapeText(content) : content.xml;
}

/** XML 1.0 can't hold these, even escaped. */
const UNFIT = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A carriage return would be read as a line feed. */
function escapeText(text: string): string {
  return text.replaceAll(UNFIT, "").replaceAll(/[&<>\r]/g, escaped);
}

/** White space would be read as spaces. */
function escapeAttribute(text: string): string {
  return text.replaceAll(UNFIT, "").replaceAll(/[&<>"\r\n\t]/g, escaped);
}

function escaped(sign: string): string {
  return ESCAPES[sign] ?? `&#${sign.charCodeAt(0)};`;
}
