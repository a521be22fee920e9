import { invalid } from "../errors.ts";
import { joinSentences } from "./sentences.ts";

const MAX_TAGS = 4;
/** Four of these joined with ", " come to 126 characters, the limit of a tag list. */
const MAX_CHARACTERS = 30;
const QUOTED_CHARACTERS = 60;

/** A tag is never an accent alone. */
const TAG = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u;

/** The tags in stored spelling, each once, unchecked. */
export function parseTagList(input: string | readonly string[]): string[] {
  const parts = typeof input === "string" ? [input] : input;
  const tags = parts
    .flatMap((part) => part.split(","))
    .map((tag) => tag.trim().normalize("NFC").toLowerCase())
    .filter((tag) => tag !== "");
  return [...new Set(tags)];
}

export function checkTags(tags: readonly string[]): void {
  const faults = faultsOfTags(tags, MAX_TAGS).map(({ of, fault }) => `${of} ${fault}`);
  if (faults.length > 0) throw invalid(joinSentences(faults));
}

export function faultsOfTags(
  tags: readonly string[],
  max: number,
): { of: "Tag list" | "Tag"; fault: string }[] {
  const wrong = tags.slice(0, max).flatMap(faultsOf);
  const faults = wrong.map((fault) => ({ of: "Tag" as const, fault }));
  if (tags.length <= max) return faults;
  return [{ of: "Tag list", fault: `exceed the maximum of ${max} tags` }, ...faults];
}

function faultsOf(tag: string): string[] {
  const characters = Array.from(tag);
  const name =
    characters.length > QUOTED_CHARACTERS ? `${characters.slice(0, QUOTED_CHARACTERS).join("")}...` : tag;
  const faults: string[] = [];
  if (!TAG.test(tag)) faults.push(`"${name}" contains non-alphanumeric or prohibited unicode characters`);
  if (characters.length > MAX_CHARACTERS) {
    faults.push(`"${name}" is too long (maximum is ${MAX_CHARACTERS} characters)`);
  }
  return faults;
}
