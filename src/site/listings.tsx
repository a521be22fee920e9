import { Type } from "typebox";
import { notFound } from "../platform/errors.ts";
import * as listings from "../community/listings/listings.ts";
import { listingPath, reportPath } from "../platform/paths.ts";
import { directionOf } from "../content/text/direction.ts";
import { beginningOf } from "../content/text/plain-text.ts";
import {
  Avatar,
  Breadcrumbs,
  Day,
  Folded,
  NoRows,
  Icon,
  Pager,
  PersonLink,
  TagLink,
  Tabs,
} from "./kit/components.tsx";
import { Prose, sanitized } from "./kit/html.tsx";
import { countedPage, CountedPages, type Moved, moved, type Page, type Pages, type Visit } from "./kit.tsx";

const LISTINGS = { label: "Listings", href: "/listings" };

export function listingRoutes(pages: Pages): void {
  const Category = Type.Object({ category: Type.String() });
  pages.get("/listings", { querystring: CountedPages }, (visit) => listPage(visit));
  pages.get("/listings/:category", { params: Category, querystring: CountedPages }, (visit) =>
    listPage(visit, visit.params.category),
  );
  const One = Type.Object({ category: Type.String(), slug: Type.String() });
  pages.get("/listings/:category/:slug", { params: One }, onePage);
}

const PER_PAGE = 30;

async function listPage(visit: Visit<{ page: number }>, slug?: string): Promise<Page | Moved> {
  const { source, site, request } = visit;
  const categories = await listings.categories(source.db);
  const category = categories.find((each) => each.slug === slug?.toLowerCase());
  if (slug !== undefined && category === undefined) throw notFound();
  const path = category ? listingPath(category.slug) : LISTINGS.href;
  if (category !== undefined && category.slug !== slug) return moved(request, path);
  const { rows, place } = await countedPage(visit, { path, perPage: PER_PAGE }, (part) =>
    listings.list(source.db, { categoryId: category?.id, now: site.now }, part),
  );
  return {
    title: category ? `${category.name} · Listings` : "Listings",
    description: category ? `Listings: ${category.name}.` : "Listings of members, the newest first.",
    ...place,
    body: (
      <>
        <h1 class="page-title">{category?.name ?? "Listings"}</h1>
        <Categories list={categories} current={category} />
        {rows.length === 0 && <NoListings first={place.first} isCategory={category !== undefined} />}
        <ul class="cards">
          {rows.map((each) => (
            <li dir={directionOf(each.title)}>
              <h2 dir="auto">
                <a href={listingPath(`${each.category}/${each.slug}`)}>{each.title}</a>
              </h2>
              <p dir="auto">{beginningOf(each.body_html)}</p>
              <ListingMeta row={each} now={site.now} />
            </li>
          ))}
        </ul>
        <Pager {...place} of="Previous, Next" />
      </>
    ),
  };
}

export function ListingMeta({ row, now }: { row: ListingFacts; now: Date }) {
  return (
    <p class="meta">
      <PersonLink person={row.organization ?? row.user} />
      <Day date={row.bumped_at} now={now} />
      {row.location && <span>{row.location}</span>}
    </p>
  );
}

type Category = Awaited<ReturnType<typeof listings.categories>>[number];

function Categories({ list, current }: { list: readonly Category[]; current: Category | undefined }) {
  return (
    <Folded summary={current === undefined ? "Category: all" : `Category: ${current.name}`}>
      <Tabs
        label="Categories"
        wraps
        tabs={[
          { label: "All", href: LISTINGS.href, isCurrent: current === undefined },
          ...list.map((each) => ({
            label: each.name,
            href: listingPath(each.slug),
            isCurrent: each === current,
          })),
        ]}
      />
    </Folded>
  );
}

function NoListings({ first, isCategory }: { first: string | undefined; isCategory: boolean }) {
  return (
    <NoRows noun="listings" first={first} title="No listings at present">
      {isCategory && (
        <p>
          <a href={LISTINGS.href}>All listings</a>
        </p>
      )}
    </NoRows>
  );
}

async function onePage(visit: Visit<object, { category: string; slug: string }>): Promise<Page | Moved> {
  const { source, params, site } = visit;
  const row = await listings.findBySlug(source.db, params.slug);
  if (row === undefined) throw notFound();
  const path = listingPath(`${row.category}/${row.slug}`);
  if (row.category !== params.category || row.slug !== params.slug) return moved(visit.request, path);
  const { expires_at: end } = row;
  const crumbs = [LISTINGS, { label: row.category_name, href: listingPath(row.category) }];
  return {
    title: row.title,
    description: beginningOf(row.body_html),
    path,
    isHidden: end !== null && end <= site.now,
    crumbs,
    body: (
      <article class="narrow">
        <Breadcrumbs crumbs={crumbs} />
        <h1 class="page-title" dir="auto">
          {row.title}
        </h1>
        {end !== null && end <= site.now && <p class="notice">This listing has expired.</p>}
        <ListingByline row={row} now={site.now} />
        <p class="tags" dir={directionOf(row.title)}>
          {row.tag_list.map((name) => (
            <TagLink name={name} />
          ))}
        </p>
        <Prose html={sanitized(row.body_html)} />
        {site.viewer?.id !== row.author_id && (
          <p class="spaced small">
            <a href={reportPath("listing", row.id)} rel="nofollow">
              Report
            </a>
          </p>
        )}
      </article>
    ),
  };
}

type Listing = NonNullable<Awaited<ReturnType<typeof listings.findBySlug>>>;
type ListingFacts = Pick<Listing, "organization" | "user" | "bumped_at" | "location">;

function ListingByline({ row, now }: { row: Listing; now: Date }) {
  const { expires_at: end, location } = row;
  const by = row.organization ?? row.user;
  const kind = row.organization ? "organization" : "user";
  return (
    <div class="byline" dir={directionOf(row.title)}>
      <Avatar of={{ kind, ...by }} side={40} />
      <div>
        <PersonLink person={by} />
        <div class="meta">
          <Day date={row.bumped_at} />
          {location && (
            <span class="count">
              <Icon name="map-pin" /> {location}
            </span>
          )}
          {end !== null && end > now && (
            <span>
              until <Day date={end} />
            </span>
          )}
        </div>
      </div>
    </div>
  );
}
