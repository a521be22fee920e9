import { type ConsumedBy, CONSUMERS } from "../events/events.ts";

/** The events that endpoints can subscribe to, in the order of the documentation. */
export const EVENT_NAMES = CONSUMERS.webhooks;

export type EventName = ConsumedBy<"webhooks">;

/** The event of this name, which may also be written as `ArticleCreated`. */
export function eventNamed(text: string): EventName | undefined {
  const name = /^([A-Z][a-z]+)+$/.test(text) ? snakeCase(text) : text;
  return EVENT_NAMES.find((known) => known === name);
}

function snakeCase(text: string): string {
  return text.replaceAll(/(?<=.)(?=[A-Z])/g, "_").toLowerCase();
}
