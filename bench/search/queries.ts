import { misspell } from "../corpus/misspell.ts";
import { PLANTED_BEGINNING, PLANTED_PHRASE } from "../corpus/planted.ts";
import { askOk } from "../measure/http.ts";
import type { Subject } from "../measure/in-turn.ts";
import type { Site } from "./site.ts";

/** The number of matches is known from the corpus. */
export interface Query {
  name: string;
  /** The text of the time number `count`. */
  q(site: Site, count: number): string;
  /** Whether some article must be found, so that no empty answer is taken for a fast one. */
  finds: boolean;
  /** Whether its hits lie far apart in the order of popularity. */
  isScattered?: boolean;
}

/** With what a query is narrowed. */
export interface Narrowing {
  name: string;
  days?: number;
  byTag?: boolean;
}

const QUERIES: readonly Query[] = [
  planted("In 20 articles", "planted20"),
  planted("In 1 %", "planted1pct"),
  planted("In 5 %", "planted5pct"),
  planted("In 15 %", "planted15pct"),
  planted("Two in 15 % each", "planted15pct again15pct"),
  {
    name: "Two in 5 % each that never meet",
    q: () => "never5pct meets5pct",
    finds: false,
    isScattered: true,
  },
  planted("Question of seven words", "how to planted15pct the again15pct in planted1pct"),
  planted("Phrase in 2 %, its words in 10 %", `"${PLANTED_PHRASE.words.join(" ")}"`),
  planted("Beginning of words in 16 %", PLANTED_BEGINNING),
  { name: "Misspelt", q: (site, count) => misspelt(site)[count % MISSPELT] as string, finds: false },
  { name: "No hit", q: () => "qzwxkvjq", finds: false },
  { name: "In nearly all", q: ({ vocabulary }) => vocabulary[0] as string, finds: true },
];

const NARROWINGS: readonly Narrowing[] = [
  { name: "" },
  { name: "top=7", days: 7 },
  { name: "top=365", days: 365 },
  { name: "a common tag", byTag: true },
];

function planted(name: string, text: string): Query {
  return { name, q: () => text, finds: true };
}

const MISSPELT = 20;

/** Words of this rank stand in a few titles of ten thousand. */
const IN_FEW_TITLES = 500;

const misspeltOf = new WeakMap<Site, string[]>();

function misspelt(site: Site): string[] {
  const made = misspeltOf.get(site);
  if (made) return made;
  const known = new Set(site.vocabulary);
  const words = site.vocabulary.slice(IN_FEW_TITLES).filter((word) => word.length >= 6);
  const texts = words.map((word) => misspell(site.random, word)).filter((text) => !known.has(text));
  misspeltOf.set(site, texts.slice(0, MISSPELT));
  return texts.slice(0, MISSPELT);
}

/** Every query alone and narrowed, asked over HTTP. */
export const SEARCHES: readonly Subject<Site>[] = QUERIES.flatMap((query) =>
  NARROWINGS.map((narrowing) => ({
    name: nameOf(query, narrowing),
    time: (site: Site, count: number) => timeSearch(site, count, { query, narrowing }),
  })),
);

function nameOf(query: Query, narrowing: Narrowing): string {
  return narrowing.name === "" ? query.name : `${query.name}, ${narrowing.name}`;
}

/** Searches whose hits lie far apart. */
export const SCATTERED: ReadonlySet<string> = new Set(
  QUERIES.flatMap((query) =>
    NARROWINGS.filter(({ name }) => name !== "" || query.isScattered === true).map((narrowing) =>
      nameOf(query, narrowing),
    ),
  ),
);

/** The number of days that reaches as far into the corpus as it did when the corpus was made. */
export function daysIn({ ageDays }: Site, days: number): number {
  return days + ageDays;
}

/** Page sizes make many addresses of one query, none of which is remembered when its turn comes again. */
const PAGE_SIZES = Array.from({ length: 11 }, (_, number) => 50 + number);

export function pageSize(count: number): number {
  return PAGE_SIZES[count % PAGE_SIZES.length] as number;
}

async function timeSearch(
  site: Site,
  count: number,
  { query, narrowing }: { query: Query; narrowing: Narrowing },
): Promise<number> {
  const path = `/api/articles/search?${new URLSearchParams({
    q: query.q(site, count),
    per_page: String(pageSize(count)),
    ...(narrowing.days && { top: String(daysIn(site, narrowing.days)) }),
    ...(narrowing.byTag && { tag: site.commonTag }),
  })}`;
  const { body, milliseconds } = await askOk(site.client, path);
  if (query.finds && narrowing.name === "" && body.toString() === "[]")
    throw new Error(`${path} found nothing: its words must stand in the corpus of ${site.dataDir}.`);
  return milliseconds;
}
