import { askOk } from "../measure/http.ts";
import type { Subject } from "../measure/in-turn.ts";
import { daysIn, pageSize } from "./queries.ts";
import type { Site } from "./site.ts";

/** Lists of articles, with the same page sizes at both sizes of the corpus. */
export const LISTS: readonly Subject<Site>[] = [
  list("List of a common tag", ({ commonTag }) => `/api/articles?tag=${commonTag}`),
  list("List of a rare tag", ({ rareTag }) => `/api/articles?tag=${rareTag}`),
  list("List of an author", ({ author }) => `/api/articles?username=${author}`),
  list("Newest", () => "/api/articles/latest?"),
  ...[7, 30, 365].map((days) =>
    list(`List, top=${days}`, (site) => `/api/articles?top=${daysIn(site, days)}`),
  ),
  list("Newest, the thousandth page of 10 by its cursor", thousandthPage),
];

function list(name: string, path: (site: Site) => string | Promise<string>): Subject<Site> {
  return {
    name,
    time: async (site, count) => {
      const address = `${await path(site)}&per_page=${pageSize(count)}`;
      return (await askOk(site.client, address)).milliseconds;
    },
  };
}

const DEEPEST_PAGE = 1_000;
const PER_PAGE = 10;

const deepPages = new WeakMap<Site, Promise<string>>();

/** Found once by following the links, as a client does; the last but one page where there are fewer. */
function thousandthPage(site: Site): Promise<string> {
  const known = deepPages.get(site) ?? walk(site);
  deepPages.set(site, known);
  return known;
}

async function walk({ client, articles }: Site): Promise<string> {
  const pages = Math.min(DEEPEST_PAGE, Math.floor(articles / PER_PAGE));
  let address = `/api/articles/latest?per_page=${PER_PAGE}`;
  for (let page = 1; page < pages; page += 1) {
    const { headers } = await askOk(client, address);
    const [, next] = /<([^>]+)>; rel="next"/.exec(String(headers["link"] ?? "")) ?? [];
    if (next === undefined) throw new Error(`Page ${page} of ${pages} names no next one: ${address}`);
    const url = new URL(next);
    address = url.pathname + url.search;
  }
  const url = new URL(address, "http://localhost");
  url.searchParams.delete("per_page");
  return `${url.pathname}?${url.searchParams}`;
}
