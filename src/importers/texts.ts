import { AppError } from "../errors.ts";
import type { Converter } from "../feed-imports/converter.ts";
import type { Converted } from "../feed-imports/to-markdown.ts";
import type { Body } from "./reader.ts";

/** What a thread makes of a body, or why it can't. */
export type Text = Converted | { fault: string };

export function textOf(body: Body, converter: Converter): Promise<Text> {
  const text = convert(body, converter);
  // It may fail before it is waited for.
  text.catch(() => {});
  return text;
}

async function convert(body: Body, converter: Converter): Promise<Text> {
  if ("markdown" in body) return { markdown: body.markdown, title: "", text: "", lost: 0 };
  try {
    return await converter.convert({ title: "", base: undefined, ...body });
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid") return { fault: error.message };
    throw error;
  }
}
