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

export function faultsOfTags(tags: readonly string[], max: number) {
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
  if (characters.length > MAX_CHARACTERS)
    faults.push(`"${name}" is too long (maximum is ${MAX_CHARACTERS} characters)`);
  return faults;
}

/** Signs that tell names apart, as words: `C#`, `F#`, `C++`, `.NET`. */
const SPOKEN = [
  [/(?<![\p{L}\p{N}])(\p{L})#/gu, "$1sharp"],
  [/\+\+/g, "pp"],
  [/(?<![\p{L}\p{N}])\.net(?!\p{L})/gu, "dotnet"],
] as const;

/** The tags for names of other programs, such as `nodejs` for `Node.js`; other names with the reason. */
export function tagsOfNames(names: readonly string[]) {
  const tags = new Set<string>();
  const others: { name: string; reason: string }[] = [];
  for (const name of names.flatMap((list) => list.split(",")).map((one) => one.trim())) {
    const written = name.normalize("NFC").toLowerCase();
    const spoken = SPOKEN.reduce((text, [sign, word]) => text.replaceAll(sign, word), written);
    const tag = spoken.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, "").replace(/^\p{M}+/u, "");
    if (name === "") continue;
    if (tag === "") others.push({ name, reason: "it has neither letters nor digits" });
    else if (faultsOf(tag).length > 0)
      others.push({ name, reason: `it has more than ${MAX_CHARACTERS} characters` });
    else if (tags.size < MAX_TAGS) tags.add(tag);
    else if (!tags.has(tag)) others.push({ name, reason: `an article has at most ${MAX_TAGS} tags` });
  }
  return { tags: [...tags], others };
}
