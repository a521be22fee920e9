/** What endpoints can be told of, in the order in which it is documented. */
export const EVENT_NAMES = [
  "article_created",
  "article_updated",
  "article_published",
  "article_unpublished",
  "article_destroyed",
  "comment_created",
  "comment_deleted",
  "reaction_created",
  "follow_created",
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** The event of this name, which may also be written as `ArticleCreated`; undefined when there is none. */
export function eventNamed(text: string): EventName | undefined {
  const name = /^([A-Z][a-z]+)+$/.test(text) ? snakeCase(text) : text;
  return EVENT_NAMES.find((known) => known === name);
}

function snakeCase(text: string): string {
  return text.replaceAll(/(?<=.)(?=[A-Z])/g, "_").toLowerCase();
}
