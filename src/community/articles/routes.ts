import { type Fragment, fragmentOf } from "../../platform/cache.ts";
import type { Answer, Asked } from "../../http/answers.ts";
import { isBeyondMemory } from "../../http/at-hand.ts";
import { isForemClient, VENDOR_TYPE } from "../../http/negotiation.ts";
import { operations, type Program, read } from "../../http/operation.ts";
import { type Cut, pageLinks, type Part } from "../../http/pages.ts";
import { listed } from "../../http/responses.ts";
import * as organizations from "../organizations/organizations.ts";
import { OrganizationName } from "../organizations/schema.ts";
import type { Ref, SearchPage } from "../../search/find.ts";
import { SUMMARY_EXAMPLE, VIDEO_EXAMPLE } from "./examples.ts";
import type { OrderName } from "./lists/orders.ts";
import { find, list, listOf, listVideos, sourceOf } from "./lists/page.ts";
import * as queries from "./queries.ts";
import { arrayOf, rowsWithVideos, summaries } from "./reading.ts";
import {
  ArticleList,
  ArticlePages,
  ArticleSearch,
  ArticleSummary,
  LatestArticles,
  VideoArticle,
  VideoList,
} from "./schema.ts";
import * as view from "./view.ts";

const FOUND = listed(ArticleSummary, "published articles", SUMMARY_EXAMPLE, { empty: "if none matches" });

export const articleRoutes = operations("articles", [
  read({
    path: "GET /api/articles/search",
    id: "getArticles",
    access: "public",
    summary: "Search articles",
    description:
      "Full-text search in published articles, best match first. With `top`, most popular first; without `q`, all articles, hottest first. The `next` link leads to the next page.",
    query: ArticleSearch,
    answers: listed(ArticleSummary, "published articles", SUMMARY_EXAMPLE, {
      empty: "if none matches",
      headers: {
        "X-Search-Match":
          "`exact` if some article has all words as typed, `similar` if one has them with misspelt words corrected, otherwise `partial`. Only with `q`, and of no empty response.",
      },
      types: [VENDOR_TYPE],
    }),
    config: { isSearch: true },
    atHand: true,
    run: search,
  }),
  read({
    path: "GET /api/articles",
    id: "listArticles",
    access: "public",
    summary: "List published articles",
    description:
      "Published articles, hottest first. Filters combine. The first of `sort`, `collection_id`, `top`, `state`, `tags` or `tags_exclude`, `tag`, `username` that is given determines the order.",
    query: ArticleList,
    answers: FOUND,
    run: (asked, program) => listFiltered(asked, program),
  }),
  read({
    path: "GET /api/articles/latest",
    id: "listLatestArticles",
    access: "public",
    summary: "List published articles, newest first",
    description: "The same as the list of published articles, but always newest first.",
    query: LatestArticles,
    answers: FOUND,
    run: (asked, program) => listFiltered(asked, program, "newest"),
  }),
]);

export const organizationArticleRoutes = operations("organizations", [
  read({
    path: "GET /api/organizations/:username/articles",
    id: "getOrganizationArticles",
    access: "public",
    summary: "List an organization's articles",
    description: "Articles published for the organization, newest first.",
    params: OrganizationName,
    query: ArticlePages,
    answers: listed(ArticleSummary, "published articles", SUMMARY_EXAMPLE),
    async run(asked, program) {
      const organizationId = await organizations.find(program.db.replica, asked.params.username);
      const source = sourceOf(program);
      return listAnswer(program, asked, await listOf(source, { organizationId }, cutOf(asked.query)));
    },
  }),
]);

export const videoRoutes = operations("videos", [
  read({
    path: "GET /api/videos",
    id: "listVideos",
    access: "public",
    summary: "List articles with a video",
    description:
      "Published articles with a video and a preview image, hottest first, except those with a score of -4 or less.",
    query: VideoList,
    answers: listed(VideoArticle, "articles with a video", VIDEO_EXAMPLE),
    async run(asked, program) {
      const found = await listVideos(sourceOf(program), cutOf(asked.query));
      const rows = await rowsWithVideos(program.db.replica, found.rows);
      return { body: JSON.stringify(rows.map(view.video)), headers: pagesBeside(program, asked, found) };
    },
  }),
]);

async function search(asked: Asked<ArticleSearch>, program: Program): Promise<Answer> {
  const { q, tag, top, page, per_page: limit, cursor } = asked.query;
  // Forem counts from 1, and 0 is the first page too.
  const isForem = isForemClient(asked);
  const offset = (isForem ? Math.max(0, page - 1) : page) * limit;
  const first = isForem && page > 0 ? 1 : 0;
  const { cache, baseUrl } = program;
  const key = `found ${JSON.stringify([q, tag, top, limit, offset, cursor])}`;
  const moment = cache.moment();
  const known = cache.get(key) as SearchPage | undefined;
  // Its summaries come from a server that has what the memory has.
  if (known !== undefined) await program.searchMemory.current(program.db.slow, cache);
  const found = known ?? (await find(sourceOf(program), { q, tag, top }, { limit, offset, after: cursor }));
  try {
    return {
      ...arrayOf(await itemsOf(program, found.rows)),
      headers: {
        ...(found.match !== undefined && { "x-search-match": found.match }),
        ...pageLinks({ request: asked, baseUrl, page, first }, found.next),
      },
    };
  } catch (error) {
    // Where the summaries aren't at hand, the route goes on from here: what was found is of memory alone.
    if (isBeyondMemory(error)) cache.put(key, () => found, { moment });
    throw error;
  }
}

/** A search for one article usually wants its body. */
async function itemsOf(program: Program, refs: Ref[]): Promise<Fragment[]> {
  const items = await summariesOf(program, refs);
  const [only] = refs;
  if (only && items.length === 1) items[0] = await withBody(program, items[0] as Fragment, only.article_id);
  return items;
}

async function withBody({ db }: Program, summary: Fragment, id: number): Promise<Fragment> {
  const body = await queries.bodyOf(db.replica, id);
  if (body === undefined) return summary;
  return fragmentOf(`${summary.json.toString().slice(0, -1)},"body_markdown":${JSON.stringify(body)}}`);
}

const ALL_OF_A_PERSON = 1000;

async function listFiltered(asked: Asked<ArticleList>, program: Program, order?: OrderName): Promise<Answer> {
  const { username, state } = asked.query;
  const isOfAPerson = username !== undefined && state === "all";
  const { per_page = isOfAPerson ? ALL_OF_A_PERSON : 30 } = asked.query;
  const cut = cutOf({ ...asked.query, per_page });
  return listAnswer(program, asked, await list(sourceOf(program), asked.query, cut, order));
}

interface Paged {
  page: number;
  per_page: number;
  cursor?: string | undefined;
}

function cutOf({ page, per_page: limit, cursor }: Paged): Cut {
  return { limit, offset: (page - 1) * limit, after: cursor };
}

type AskedPage = Asked<Pick<Paged, "page">>;

async function listAnswer(program: Program, asked: AskedPage, found: Part<Ref>): Promise<Answer> {
  const items = await summariesOf(program, found.rows);
  return { ...arrayOf(items), headers: pagesBeside(program, asked, found) };
}

function summariesOf({ baseUrl, db, fragments, now }: Program, refs: Ref[]) {
  return summaries(db.replica, refs, { fragments, baseUrl, now: now() });
}

function pagesBeside({ baseUrl }: Program, asked: AskedPage, found: Part<Ref>) {
  return pageLinks({ request: asked, baseUrl, page: asked.query.page }, found.next);
}
