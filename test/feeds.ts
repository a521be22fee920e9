import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A feed of our own, as real ones are written. */
export type FeedName = "podcast.xml" | "journal.atom" | "broken-dates.xml" | "notes.json" | "news.rdf";

export function feedFile(name: FeedName): Buffer {
  return readFileSync(join(import.meta.dirname, "feeds", name));
}
