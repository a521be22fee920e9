import { FIELDS } from "../articles/fields.ts";
import { accepts } from "../../platform/fields/fields.ts";

// Attributes of articles, made of what other sites have in their place.

const MAX_TITLE = 128;

/** A text on one line, at most as long as a title. */
export function titleOf(text: string): string {
  const line = text
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
  const characters = Array.from(line.slice(0, MAX_TITLE * 2 + 2));
  if (characters.length <= MAX_TITLE) return line;
  const kept = characters.slice(0, MAX_TITLE - 1).join("");
  const end = kept.lastIndexOf(" ");
  return `${(end > MAX_TITLE / 2 ? kept.slice(0, end) : kept).trimEnd()}…`;
}

export function addressOf(name: "canonical_url" | "main_image", address: string | undefined): string | null {
  return address !== undefined && accepts(FIELDS[name], address) ? address : null;
}
