import type { Insertable, Updateable } from "kysely";
import type { Db } from "../../platform/db/connect.ts";
import { together } from "../../platform/db/pipeline.ts";
import type { Reassignment } from "../../platform/db/reassign.ts";
import type { Articles } from "../../platform/db/tables.ts";
import { notFound } from "../../platform/errors.ts";
import * as events from "../../platform/events/events.ts";
import { articlePath } from "../../platform/paths.ts";
import type { BodyTerms } from "../../content/text/render-pool.ts";
import { claimingCanonicalUrl } from "./canonical-urls.ts";
import { getsFinalSlug, isTemporary, slugsFor, type State } from "./publication-status.ts";
import * as queries from "./queries.ts";
import * as readModel from "./read-model.ts";
import * as retiredPaths from "./retired-paths.ts";
import * as series from "./series.ts";
import * as writing from "./writing.ts";

export interface Changed {
  before: writing.ArticleRow;
  change: Updateable<Articles>;
}

interface Created {
  before?: undefined;
  change: Omit<Insertable<Articles>, "slug">;
}

type Change = Changed | Created;

type Transition = Change & {
  now: Date;
  /** The address that an author whose canonical URL is taken may write to. */
  contactEmail?: string;
  terms?: BodyTerms | undefined;
  /** Whether a new article was published elsewhere long ago. */
  isOld?: boolean;
  /** Whether its date publishes the article, not a person. */
  isDue?: boolean;
};

/**
 * The only way in which a request, a command or the clock creates, changes or deletes an article: its columns, the path
 * that it leaves, the events, and the tables of published articles. Returns it as it is shown, a deleted one as it was.
 * Comes last in its transaction. Imports and removals of accounts write many rows at once, without events.
 * @throws AppError invalid for a canonical URL that another transaction has just claimed
 */
export async function transition(tx: Db, options: Transition): Promise<queries.FullRow> {
  const { before, change, contactEmail = "", now, terms } = options;
  const from = before?.state;
  const to = (change.state ?? from) as State;
  const gone = before && to === "deleted" ? await shown(tx, before.id) : undefined;
  const id = await claimingCanonicalUrl(contactEmail, () => write(tx, options, to));
  const recording = events.recordAll(tx, gone ? [destroyed(gone)] : eventsOf(id, to, options));
  const row = () => gone ?? shown(tx, id);
  if (from !== "published" && to !== "published") return (await together(recording, row()))[1];
  const [, listed] = await together(recording, readModel.writeLists(tx, [id], now));
  // Shown with the tags that it is the first to have.
  const [after] = await together(
    row(),
    readModel.writeSearchAndCounts(tx, listed, terms && new Map([[id, terms]])),
  );
  return after;
}

export async function shown(tx: Db, id: number): Promise<queries.FullRow> {
  const row = await queries.findById(tx, id);
  if (!row) throw notFound();
  return row;
}

async function write(tx: Db, { before, change }: Change, to: State): Promise<number> {
  if (before === undefined) return writing.insertWithSlug(tx, change, slugsFor(to, change.title));
  const { id, title } = before;
  if (getsFinalSlug(before, to)) {
    await writing.updateWithSlug(tx, { id, change }, slugsFor(to, change.title ?? title));
    await series.removeEmpty(tx, leftSeries([{ before, change }]));
  } else await writeChanges(tx, [{ before, change }]);
  return id;
}

/** Changes many articles without events: the caller updates the tables of published articles. */
export async function writeChanges(tx: Db, changed: readonly Changed[]): Promise<void> {
  const ids = changed.filter(isMoved).map(({ before }) => before.id);
  const paths = await retiredPaths.pathsOf(tx, ids);
  for (const { before, change } of changed) await writing.update(tx, before.id, change);
  await series.removeEmpty(tx, leftSeries(changed));
  await retiredPaths.retire(tx, { before: paths, ids });
}

/** Whether readers may have found it elsewhere. */
function isMoved({ before, change }: Changed): boolean {
  if (isTemporary(before.slug)) return false;
  const { slug = before.slug, author_id: authorId = before.author_id } = change;
  const { organization_id: organizationId = before.organization_id } = change;
  return slug !== before.slug || authorId !== before.author_id || organizationId !== before.organization_id;
}

function leftSeries(changed: readonly Changed[]): number[] {
  return changed.flatMap(({ before, change }) => {
    const isSame = change.collection_id === undefined || change.collection_id === before.collection_id;
    return isSame ? [] : (before.collection_id ?? []);
  });
}

function destroyed(row: queries.FullRow): events.Event {
  const { id, author_id, title, state } = row;
  const published = state === "published";
  return ["article_destroyed", { article_id: id, author_id, title, path: articlePath(row), published }];
}

function eventsOf(
  id: number,
  to: State,
  { before, isOld = false, isDue = false }: Transition,
): events.Event[] {
  const from = before?.state;
  const [wasPublished, isPublished] = [from === "published", to === "published"];
  const isAgain = isOld || from === "unpublished" || from === "deleted";
  const published: events.Event = ["article_published", { article_id: id, ...(isAgain && { again: true }) }];
  const happened: events.Event[] = isPublished && !wasPublished ? [published] : [];
  if (isDue) return happened;
  if (from === undefined)
    return [["article_created", { article_id: id, published: isPublished }], ...happened];
  if (from === "deleted") return [["article_restored", { article_id: id }], ...happened];
  if (wasPublished && !isPublished) happened.push(["article_unpublished", { article_id: id }]);
  return [["article_updated", { article_id: id, published: wasPublished || isPublished }], ...happened];
}

/** Articles in memory at once, with their bodies. */
const BATCH = 50;

/**
 * Gives all articles of one person to another, also deleted ones, and retires their paths. Without events: nothing has
 * happened to the articles. Returns their number.
 */
export async function reassign(tx: Db, people: Reassignment, now: Date): Promise<number> {
  const others = await series.reassign(tx, people);
  for (let total = 0; ;) {
    const articles = await queries.lockOfAuthor(tx, people.from, BATCH);
    if (articles.length === 0) return total;
    const changed = articles.map((before) => {
      const { collection_id } = before;
      const kept = collection_id === null ? undefined : others.get(collection_id);
      return { before, change: { author_id: people.to, ...(kept !== undefined && { collection_id: kept }) } };
    });
    await writeChanges(tx, changed);
    await readModel.refresh(
      tx,
      articles.map(({ id }) => id),
      now,
    );
    total += articles.length;
  }
}
