import { findTags } from "../search/tags.ts";
import { idCode } from "../comments/id-codes.ts";
import * as comments from "../comments/reading.ts";
import * as listings from "../listings/listings.ts";
import { commentPath, listingPath, tagPath } from "../paths.ts";
import { Marker } from "../search/marking.ts";
import { parseQuery } from "../search-index/query.ts";
import { beginningOf } from "../text/plain-text.ts";
import * as users from "../users/directory.ts";
import { Avatar, counted, Day, PersonLink, type ShowText } from "../web/components.tsx";
import { markWith, snippetOfHtml } from "./highlight.tsx";
import type { Visit } from "./kit.tsx";
import { searchArticles } from "./search-articles.tsx";
import { type KindOf, nothing, type Query, type Results } from "./search-kinds.tsx";

export const SEARCHES: Record<KindOf, (visit: Visit<Query>, q: string) => Promise<Results>> = {
  articles: searchArticles,
  people: searchPeople,
  tags: searchTags,
  comments: searchComments,
  listings: searchListings,
};

const MOST = 20;

/** Of a list that may be cut. */
const totalOf = ({ length }: readonly unknown[]) => (length < MOST ? length : undefined);

function markerOf({ site }: Visit, q: string): Marker | undefined {
  const { search_language: language } = site.settings;
  const query = parseQuery(q, { language });
  return query === null ? undefined : new Marker(query, language);
}

/** The part of a text that matches, or its beginning. */
function textOf(html: string, marker: Marker | undefined) {
  return (marker && snippetOfHtml(html, marker)?.shown) ?? beginningOf(html);
}

async function searchPeople(visit: Visit<Query>, q: string): Promise<Results> {
  const list = await users.search(visit.source.slow, q, MOST);
  if (list.length === 0) return nothing(q, "people", visit);
  const show = markWith(markerOf(visit, q));
  return {
    total: totalOf(list),
    body: (
      <ul class="articles">
        {list.map((person) => (
          <PersonRow person={person} show={show} />
        ))}
      </ul>
    ),
  };
}

function PersonRow({ person, show }: { person: users.FoundProfile; show: ShowText }) {
  return (
    <li class="person-row">
      <Avatar of={{ ...person }} side={48} />
      <div>
        <strong>
          <PersonLink person={person} show={show} />
        </strong>{" "}
        <span class="muted">@{show(person.username)}</span>
        {person.summary && <p dir="auto">{show(person.summary)}</p>}
      </div>
    </li>
  );
}

async function searchTags(visit: Visit<Query>, q: string): Promise<Results> {
  const list = await findTags(visit.source, q, MOST);
  if (list.length === 0) return nothing(q, "tags", visit);
  const show = markWith(markerOf(visit, q));
  return {
    total: totalOf(list),
    body: (
      <ul class="cards">
        {list.map((tag) => (
          <li>
            <h2 dir="auto">
              <a href={tagPath(tag.name)}>#{show(tag.name)}</a>
            </h2>
            <p class="muted small">{counted(tag.articles_count, "article")}</p>
          </li>
        ))}
      </ul>
    ),
  };
}

async function searchComments(visit: Visit<Query>, q: string): Promise<Results> {
  const list = await comments.search(visit.source.slow, q, MOST);
  if (list.length === 0) return nothing(q, "comments", visit);
  const marker = markerOf(visit, q);
  return {
    total: totalOf(list),
    body: (
      <ul class="articles">
        {list.map((each) => (
          <li>
            <p class="meta">
              <span>
                <PersonLink person={each} /> on <a href={each.path}>{each.title}</a>
              </span>
              <a href={commentPath(idCode(each.id))}>
                <Day date={each.created_at} now={visit.site.now} />
              </a>
            </p>
            <p dir="auto">{textOf(each.body_html, marker)}</p>
          </li>
        ))}
      </ul>
    ),
  };
}

async function searchListings(visit: Visit<Query>, q: string): Promise<Results> {
  const { source, site } = visit;
  const list = await listings.search(source.slow, { q, now: site.now, limit: MOST });
  if (list.length === 0) return nothing(q, "listings", visit);
  const marker = markerOf(visit, q);
  const show = markWith(marker);
  return {
    total: totalOf(list),
    body: (
      <ul class="articles">
        {list.map((each) => (
          <li>
            <h2 dir="auto">
              <a href={listingPath(`${each.category}/${each.slug}`)}>{show(each.title)}</a>
            </h2>
            <p dir="auto">{textOf(each.body_html, marker)}</p>
            <p class="meta">
              <PersonLink person={each.organization ?? each.user} />
              <Day date={each.bumped_at} now={site.now} />
              {each.location && <span>{each.location}</span>}
            </p>
          </li>
        ))}
      </ul>
    ),
  };
}
