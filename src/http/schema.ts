import { type Static, type TObject, type TSchema, Type } from "typebox";

export const url = (description: string) => Type.String({ format: "uri", description });
export const timestamp = (description: string) => Type.String({ format: "date-time", description });
export const text = (description: string) => Type.String({ description });
export const count = (description: string) => Type.Integer({ description });
export const textOrNull = (description: string) => orNull(text(description));

export function orNull<Schema extends TSchema & { type: string }>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [schema.type, "null"] });
}

/** The largest `int` of PostgreSQL. */
const MAX_INT = 2_147_483_647;

/** The response of a write: the resource, with warnings if there are any. */
export function withWarnings(resource: TObject, title: string, description: string) {
  const warnings = Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Sentences about attributes that were ignored or may not work as intended. Absent when there are none.",
    }),
  );
  return Type.Object({ ...resource.properties, warnings }, { title, description });
}

export function listPage(items: { default: number; max: number }, first = 1) {
  const description = `The page number, starting from ${first}.`;
  return {
    page: Type.Integer({ minimum: first, maximum: MAX_INT, default: first, description, examples: [first] }),
    per_page: Type.Integer({
      minimum: 1,
      maximum: items.max,
      default: items.default,
      description: "Items per page.",
      examples: [10],
    }),
  };
}

/** The published interface counts pages of search from 0. */
export const searchPage = listPage({ default: 60, max: 100 }, 0);

/** An id in a path. Any other text identifies nothing: 404. */
export function idParameter(description: string, example: number) {
  return Type.Integer({ minimum: 0, maximum: MAX_INT, description, examples: [example] });
}

/** An id that its route reads as text, because any other text is an unknown id. */
export function idAsText(description: string, example: number) {
  const integer = { type: "integer", minimum: 1, maximum: MAX_INT };
  return Type.Optional(
    Type.String({ description, examples: [example], "x-any-text": true, "x-described-as": integer }),
  );
}
