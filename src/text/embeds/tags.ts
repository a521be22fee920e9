import type { References } from "../references.ts";
import { anyCard, articleCard, type Card, placeCard, PLACES, serviceCard } from "./cards.ts";
import { SERVICES } from "./services.ts";

interface CardTag {
  form: "card";
  /** Undefined for an unknown address. */
  cardOf: (address: string, references: References) => Card | undefined;
  needs: string;
}

interface BoxTag {
  form: "box";
  open: (summary: string) => string;
  close: string;
}

interface CodeTag {
  form: "code";
  language: string;
}

/** `cta` makes a button of a link, `raw` lets tags mean nothing. */
type Tag = CardTag | BoxTag | CodeTag | { form: "cta" } | { form: "raw" };

const details: BoxTag = {
  form: "box",
  open: (summary) => `<details>\n<summary>${summary || "Details"}</summary>\n`,
  close: "</details>\n",
};
const article: CardTag = { form: "card", cardOf: articleCard, needs: "the address of an article" };

export const TAGS: ReadonlyMap<string, Tag> = new Map<string, Tag>([
  ["embed", { form: "card", cardOf: anyCard, needs: "an http or https address" }],
  ["link", article],
  ["post", article],
  ["details", details],
  ["collapsible", details],
  ["spoiler", details],
  ["card", { form: "box", open: () => '<div class="card">\n', close: "</div>\n" }],
  ["cta", { form: "cta" }],
  ["katex", { form: "code", language: "math" }],
  ["runkit", { form: "code", language: "js" }],
  ["raw", { form: "raw" }],
  ...PLACES.flatMap((place) =>
    namesOf(place).map((name): [string, Tag] => [
      name,
      {
        form: "card",
        cardOf: (address, references) => placeCard(place, address, references),
        needs: `a ${place.noun}`.replace(/^a (?=[aeio])/, "an "),
      },
    ]),
  ),
  ...SERVICES.flatMap((service) =>
    namesOf(service).map((name): [string, Tag] => [
      name,
      {
        form: "card",
        cardOf: (address) => serviceCard(service, address),
        needs: `an address of ${service.label}${service.short ? " or its short form" : ""}`,
      },
    ]),
  ),
]);

function namesOf({ name, aliases = [] }: { name: string; aliases?: readonly string[] }): string[] {
  return [name, ...aliases];
}
