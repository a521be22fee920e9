import type { Db } from "../../platform/db/connect.ts";
import { createFairQueue } from "../../platform/fair-queue.ts";
import type { ImportContext, ImportState } from "../records/record-type.ts";
import * as settings from "../../platform/settings/settings.ts";
import { parseFrontMatter } from "../../content/text/front-matter.ts";
import { candidatesIn } from "../../content/text/references.ts";
import type { BodyTerms, RenderOptions } from "../../content/text/render-pool.ts";
import { recordSlug } from "../../content/text/slug.ts";
import type { RenderedBody } from "./compose.ts";
import * as queries from "./queries.ts";
import { findReferences, renderBody } from "./rendering.ts";

interface Source {
  slug?: string;
  author: string;
  title: string;
  body_markdown: string;
  created_at?: string;
}

/** The names and titles that bodies may refer to, and the language of search. */
export type RenderContext = Required<Pick<RenderOptions, "references" | "searchLanguage">>;

interface Bodies {
  rendered: WeakMap<Source, Promise<RenderedBody>>;
  /** The terms of the bodies that a batch renders, by the slug. */
  terms: Map<string, BodyTerms>;
  early: ReturnType<typeof createFairQueue>;
}

/** Few, so that the bodies of the present batch hardly wait behind those of later ones. */
const EARLY_AT_ONCE = 8;

const BODIES: ImportState<Bodies> = {
  initial: () => ({
    rendered: new WeakMap(),
    terms: new Map(),
    early: createFairQueue({ size: EARLY_AT_ONCE }),
  }),
};

const FRONT_MATTER = new WeakMap<Source, ReturnType<typeof parseFrontMatter>>();

export function frontMatterOf(fields: Source): ReturnType<typeof parseFrontMatter> {
  const known = FRONT_MATTER.get(fields);
  if (known) return known;
  const parsed = parseFrontMatter(fields.body_markdown);
  FRONT_MATTER.set(fields, parsed);
  return parsed;
}

/**
 * Begins to render the bodies of new articles before their batch is written. Links to articles may depend on the
 * batches in between, so bodies with such links wait for their turn.
 */
export async function prefetch(tx: Db, batch: Source[], context: ImportContext): Promise<void> {
  const { renderPool } = context;
  const { rendered, early } = context.state(BODIES);
  const slugs = batch.flatMap((fields) => slugOf(fields) ?? []);
  const present = new Set((await queries.findIds(tx, slugs)).map(({ slug }) => slug));
  const ready = batch.filter(
    (fields) =>
      !present.has(slugOf(fields) ?? "") &&
      candidatesIn(fields.body_markdown, renderPool.baseUrl).paths.length === 0,
  );
  const renderContext = await renderContextOf(tx, ready, context);
  for (const fields of ready) {
    const rendering = early.run({ key: undefined }, () => render(fields, renderContext, context));
    // Reported when the record's turn comes.
    rendering.catch(() => {});
    rendered.set(fields, rendering);
  }
}

/** Forgets the terms of the batch before, and gives the context of the bodies that aren't rendered yet. */
export function beginBatch(tx: Db, batch: Source[], context: ImportContext): Promise<RenderContext> {
  const { rendered, terms } = context.state(BODIES);
  terms.clear();
  return renderContextOf(
    tx,
    batch.filter((fields) => !rendered.has(fields)),
    context,
  );
}

async function renderContextOf(
  tx: Db,
  batch: Source[],
  { renderPool }: ImportContext,
): Promise<RenderContext> {
  const bodies = batch.map(({ body_markdown }) => body_markdown);
  const { search_language: searchLanguage } = await settings.read(tx);
  return { references: await findReferences(tx, bodies, renderPool), searchLanguage };
}

export async function renderedBody(
  fields: Source,
  renderContext: RenderContext,
  context: ImportContext,
): Promise<RenderedBody> {
  const { rendered, terms } = context.state(BODIES);
  const made = await (rendered.get(fields) ?? render(fields, renderContext, context));
  if (made.terms) terms.set(recordSlug(fields), made.terms);
  return made;
}

async function render(
  fields: Source,
  renderContext: RenderContext,
  { renderPool }: ImportContext,
): Promise<RenderedBody> {
  const { body } = frontMatterOf(fields);
  return renderBody(renderPool, { markdown: fields.body_markdown, body }, renderContext);
}

export function termsOf(
  articles: readonly { id: number; slug?: string | undefined }[],
  context: ImportContext,
): Map<number, BodyTerms> {
  const { terms } = context.state(BODIES);
  return new Map(
    articles.flatMap(({ id, slug }) => {
      const found = terms.get(slug ?? "");
      return found ? [[id, found]] : [];
    }),
  );
}

/** Undefined for a fault, which is reported when the record's turn comes. */
function slugOf(fields: Source): string | undefined {
  try {
    return recordSlug(fields);
  } catch {
    return undefined;
  }
}
