import { countCharacters } from "../text/characters.ts";
import { faultsOfTags, parseTagList } from "../text/tags.ts";
import type { FieldFaults } from "./field-faults.ts";

const MAX_TITLE = 128;
const MAX_BODY = 400;
const MAX_LINE_BREAKS = 12;
const MAX_LOCATION = 32;
const MAX_TAGS = 8;

/** The title as it is stored: white space collapsed. */
export function checkTitle(title: string, faults: FieldFaults): string {
  const text = title.replaceAll(/\s+/gu, " ").trim();
  if (text === "") faults.add("title", "can't be blank");
  refuseLong("title", { text, max: MAX_TITLE }, faults);
  return text;
}

/** The body as it was given. */
export function checkBody(body: string, faults: FieldFaults): string {
  if (body.trim() === "") faults.add("body_markdown", "can't be blank");
  refuseLong("body_markdown", { text: body, max: MAX_BODY }, faults);
  const lineBreaks = body.match(/\r\n|[\r\n]/g)?.length ?? 0;
  if (lineBreaks > MAX_LINE_BREAKS) {
    faults.add("body_markdown", `has too many linebreaks. No more than ${MAX_LINE_BREAKS} allowed.`);
  }
  if (/!\[|<img\b/i.test(body)) faults.add("body_markdown", "is not allowed to include images.");
  if (body.includes("{%")) faults.add("body_markdown", "is not allowed to include liquid tags.");
  return body;
}

/** Where it is, or null for nowhere. */
export function checkLocation(location: string, faults: FieldFaults): string | null {
  const text = location.trim();
  refuseLong("location", { text, max: MAX_LOCATION }, faults);
  return text === "" ? null : text;
}

/** Tag names as they are stored. */
export function checkTags(tags: string | readonly string[], faults: FieldFaults): string[] {
  const names = parseTagList(tags);
  for (const { of, fault } of faultsOfTags(names, MAX_TAGS)) {
    faults.add(of === "Tag" ? "tag" : "tag_list", fault);
  }
  return names;
}

function refuseLong(field: string, { text, max }: { text: string; max: number }, faults: FieldFaults): void {
  if (countCharacters(text) > max) faults.add(field, `is too long (maximum is ${max} characters)`);
}
