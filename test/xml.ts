import { SaxesParser } from "saxes";

/** An element of an XML document, its names as they are written. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Without the text of its children. */
  text: string;
}

/** Reads a document by the letter of XML 1.0 and its namespaces. */
export function parseXml(document: string): XmlElement {
  const root: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true, position: true });
  const addText = (text: string) => {
    (open.at(-1) as XmlElement).text += text;
  };
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value] as const);
    const element = { name, attributes: Object.fromEntries(values), children: [], text: "" };
    (open.at(-1) as XmlElement).children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(document).close();
  return root.children[0] as XmlElement;
}

/** The children of this name. */
export function all({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** The text of the first child of this name; undefined when there is none. */
export function textOf(element: XmlElement, name: string): string | undefined {
  return all(element, name)[0]?.text;
}
