import { isDeepStrictEqual } from "node:util";
import { createErrors, type Field } from "../fields/fields.ts";
import type { FrontMatter } from "../text/front-matter.ts";
import { type ArticleValues, FIELDS } from "./fields.ts";
import type { WantedDate } from "./publication-status.ts";

/** With front matter. Absent attributes stay. */
export interface Wanted extends Omit<ArticleValues, "body_markdown" | "published_at"> {
  date?: WantedDate | undefined;
}

interface Source {
  values: ArticleValues;
  /** Of the sent body, or else of the stored one. */
  frontMatter: FrontMatter;
  isBodySent: boolean;
  warn: (sentence: string) => void;
}

/**
 * Front matter wins; that of a stored body decides only sent attributes.
 * @throws FieldsError
 */
export function mergeFrontMatter({ values, frontMatter, isBodySent, warn }: Source): Wanted {
  const { body_markdown: _, published_at, ...attributes } = values;
  const errors = createErrors();
  const hasTitle = frontMatter.title !== undefined && frontMatter.title !== "";
  const decided: Record<string, unknown> = {
    ...frontMatter,
    title: hasTitle ? frontMatter.title : undefined,
    // Without a description, a title makes a new one from the body.
    description: frontMatter.description ?? (hasTitle ? "" : undefined),
  };
  const wanted: Wanted = { ...attributes };
  for (const [name, field] of Object.entries<Field<unknown>>(FIELDS)) {
    const asked: unknown = Reflect.get(values, name);
    const { frontMatter: key } = field;
    if (key === undefined || decided[key] === undefined || (!isBodySent && asked === undefined)) continue;
    const value = field.read(decided[key], errors.of(key), key);
    if (asked !== undefined && !isDeepStrictEqual(asked, value)) {
      warn(`Attribute ${name} was ignored: the front matter of body_markdown decides it.`);
    }
    Object.assign(wanted, { [name]: value });
  }
  const isRuling = isBodySent || published_at !== undefined || values.published !== undefined;
  const date = dateOf(published_at, isRuling ? frontMatter : {}, warn);
  errors.throwIfAny();
  // A body with a title decides everything, also that there is no series.
  const isWhole = isBodySent && hasTitle && wanted.collection_id === undefined;
  return { ...wanted, date, ...(isWhole && { series: wanted.series ?? null }) };
}

function dateOf(
  asked: Date | undefined,
  { published_at, date }: FrontMatter,
  warn: Source["warn"],
): WantedDate | undefined {
  if (date === "unreadable") {
    warn("The date in the front matter was ignored: write it like 2026-03-02 or 2026-03-02 09:15.");
  }
  const ruling = published_at ?? (date === "unreadable" ? undefined : date);
  if (!ruling) return asked && { moment: asked, by: "attribute" };
  if (asked && asked.getTime() !== ruling.getTime()) {
    warn("Attribute published_at was ignored: the front matter of body_markdown decides it.");
  }
  return { moment: ruling, by: published_at ? "front matter" : "date" };
}
