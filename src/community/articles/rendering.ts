import type { Db } from "../../platform/db/connect.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import * as organizations from "../organizations/organizations.ts";
import type { Reference } from "../records/declaration.ts";
import { parseFrontMatter } from "../../content/text/front-matter.ts";
import { candidatesIn, type References } from "../../content/text/references.ts";
import type { Renderer, RenderOptions, RenderPool } from "../../content/text/render-pool.ts";
import { type Outdated, RENDERER_VERSION, rerender as rerenderBodies } from "../../platform/jobs/rerender.ts";
import * as users from "../users/users.ts";
import { bodyColumns, descriptionOf, isMade, type RenderedBody } from "./compose.ts";
import * as queries from "./queries.ts";
import * as readModel from "./read-model.ts";
import * as writing from "./writing.ts";

export async function renderBody(
  renderer: Renderer,
  { markdown, body }: { markdown: string; body: string },
  options: Pick<RenderOptions, "references" | "searchLanguage">,
): Promise<RenderedBody> {
  const block = markdown.slice(0, markdown.length - body.length);
  const firstLine = block.split(/\r\n?|\n/).length;
  return { ...(await renderer.render(body, { ...options, isArticle: true, firstLine })), markdown };
}

export async function renderHtml(db: Db, renderer: Renderer, markdown: string): Promise<string> {
  const references = await findReferences(db, [markdown], renderer);
  return (await renderer.render(markdown, { references })).html;
}

/** Renders a text as its article would show it. @throws AppError invalid */
export async function preview(db: Db, renderer: Renderer, markdown: string) {
  const { attributes, body } = parseFrontMatter(markdown);
  const references = await findReferences(db, [markdown], renderer);
  const { html, page, warnings } = await renderBody(renderer, { markdown, body }, { references });
  return { title: attributes.title, html: page?.html ?? html, warnings };
}

export const bySlug: Reference = {
  async find(db, slugs) {
    const rows = await queries.findIds(db, slugs);
    return new Map(rows.map(({ id, slug }) => [slug, id]));
  },
};

export async function findReferences(
  db: Db,
  markdowns: readonly string[],
  { baseUrl }: { baseUrl: string },
): Promise<References> {
  const candidates = markdowns.map((markdown) => candidatesIn(markdown, baseUrl));
  const usernames = [...new Set(candidates.flatMap(({ names }) => names))];
  const titles = await titlesOf(db, [...new Set(candidates.flatMap(({ paths }) => paths))]);
  const people = await users.idsByUsername(db, usernames);
  const groups = await organizations.idsByUsername(db, usernames);
  return { baseUrl, titles, names: new Set([...people.keys(), ...groups.keys()]) };
}

async function titlesOf(db: Db, paths: string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const places = await queries.findByPaths(db, paths);
  return new Map(
    paths.flatMap((path) => {
      const place = places.get(path);
      return place?.state === "published" ? [[path, place.title]] : [];
    }),
  );
}

/** Renders articles one after the other. Returns their number. */
export function rerender(db: Db, renderPool: RenderPool): Promise<number> {
  return rerenderBodies(db, "articles", async (row) => {
    const references = await findReferences(db, [row.body_markdown], renderPool);
    const { body } = parseFrontMatter(row.body_markdown);
    const rendered = await renderBody(renderPool, { markdown: row.body_markdown, body }, { references });
    await inTransaction(db, (tx) => replace(tx, row, rendered));
  });
}

async function replace(tx: Db, { id, body_markdown }: Outdated, rendered: RenderedBody): Promise<void> {
  const row = await writing.lockAny(tx, id);
  if (row?.body_markdown !== body_markdown || row.renderer_version >= RENDERER_VERSION) return;
  const name = (await queries.findById(tx, id))?.user.name ?? "";
  const { description, excerpt } = isMade(row, name)
    ? descriptionOf(undefined, { text: rendered.text, authorName: name })
    : row;
  await writing.update(tx, id, { ...bodyColumns(rendered), description, excerpt });
  if (description === row.description || row.state !== "published") return;
  await readModel.index(tx, [id]);
}
