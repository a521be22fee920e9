import type { ComponentChildren } from "preact";

/** A sentence of the OpenAPI document, in which backticks mark code. */
export function inlineCode(text: string): ComponentChildren {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}
