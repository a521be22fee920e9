import { type Static, Type } from "typebox";
import { rows as articleRows } from "../community/articles/reading.ts";
import * as follows from "../community/follows/follows.ts";
import * as readingList from "../community/reading-list/reading-list.ts";
import { tagPath } from "../platform/paths.ts";
import { ActButton, Acts, Follow } from "./acts.tsx";
import { ArticleCard } from "./cards.tsx";
import type { Forms, MemberVisit, OwnPage } from "./forms.tsx";
import { Avatar, type Named, NoRows, Pager, PersonLink, Tabs } from "./kit/components.tsx";
import { countedPage, CountedPages } from "./kit.tsx";

const READING_LIST = "/reading-list";
const FOLLOWING = "/following";

const Saved = Type.Object({ ...CountedPages.properties, tab: Type.Optional(Type.Enum(["archive"])) });
const Followed = Type.Object({
  ...CountedPages.properties,
  tab: Type.Enum(["people", "organizations", "tags"], { default: "people" }),
});

const PER_PAGE = 30;

export function memberListRoutes(forms: Forms): void {
  const submit = async () => ({ to: READING_LIST });
  forms.member(READING_LIST, { fields: {}, querystring: Saved, show: savedPage, submit });
  forms.member(FOLLOWING, { fields: {}, querystring: Followed, show: followedPage, submit });
}

async function savedPage(visit: MemberVisit<Static<typeof Saved>>): Promise<OwnPage> {
  const { site, services, session, query } = visit;
  const [isArchive, db] = [query.tab === "archive", services.db.main];
  const { rows, place } = await countedPage(visit, { path: READING_LIST, perPage: PER_PAGE }, (part) =>
    readingList.list(db, { userId: session.id, now: site.now, isArchive, ...part }),
  );
  const articles = await articleRows(db, rows);
  return {
    title: "Reading list",
    ...place,
    body: (
      <div class="narrow">
        <h1 class="page-title">Reading list</h1>
        <Tabs
          label="Reading list"
          tabs={[
            { label: "Saved", href: READING_LIST, isCurrent: !isArchive },
            { label: "Archive", href: `${READING_LIST}?tab=archive`, isCurrent: isArchive },
          ]}
        />
        {articles.length === 0 && (
          <NoRows
            noun="articles"
            first={place.first}
            title={isArchive ? "Nothing is archived" : "Nothing is saved yet"}
          >
            {!isArchive && <p>Press Save at the end of an article to find it here.</p>}
          </NoRows>
        )}
        <ol class="articles">
          {articles.map((row) => (
            <li>
              <ArticleCard row={row} now={site.now} />
              <div class="acts">
                <ActButton act="archive" id={row.id} pressed={isArchive} of={row.title} />
                <ActButton act="remove" id={row.id} pressed={false} of={row.title} />
              </div>
            </li>
          ))}
        </ol>
        <Pager {...place} of="Previous, Next" />
        <Acts back={place.path ?? READING_LIST} />
      </div>
    ),
  };
}

const KINDS = { people: "users", organizations: "organizations", tags: "tags" } as const;

async function followedPage(visit: MemberVisit<Static<typeof Followed>>): Promise<OwnPage> {
  const { services, session, query } = visit;
  const { rows, place } = await countedPage(visit, { path: FOLLOWING, perPage: PER_PAGE }, (part) =>
    follows.listFollowed(services.db.main, session.id, { kind: KINDS[query.tab], ...part }),
  );
  const list = rows.map(({ followed_id: id, ...row }) => ({ ...row, id }));
  return {
    title: "Following",
    ...place,
    body: (
      <div class="narrow">
        <h1 class="page-title">Following</h1>
        <Tabs
          label="Following"
          tabs={(["people", "organizations", "tags"] as const).map((tab) => ({
            label: tab[0]?.toUpperCase() + tab.slice(1),
            href: tab === "people" ? FOLLOWING : `${FOLLOWING}?tab=${tab}`,
            isCurrent: tab === query.tab,
          }))}
        />
        {rows.length === 0 && (
          <NoRows noun={query.tab} first={place.first} title={`You follow no ${query.tab} yet`} />
        )}
        <FollowList list={list} pressed={new Set(list.map(({ kind, id }) => `follow-${kind} ${id}`))} />
        <Pager {...place} of="Previous, Next" />
        <Acts back={place.path ?? FOLLOWING} />
      </div>
    ),
  };
}

interface FollowListProps {
  list: readonly (Omit<Named, "username"> & {
    kind: "user" | "organization" | "tag";
    username: string | null;
  })[];
  pressed: ReadonlySet<string>;
}

/** People, organizations and tags, each with its button. */
export function FollowList({ list, pressed }: FollowListProps) {
  return (
    <ul class="cards">
      {list.map(({ kind, id, name, username, profile_image }) => (
        <li class="person-row">
          {kind === "tag" ? (
            <a href={tagPath(name)} dir="auto">
              #{name}
            </a>
          ) : (
            <>
              <Avatar of={{ kind, id, profile_image }} />
              <PersonLink person={{ name, username: username ?? "" }} />
            </>
          )}
          <Follow kind={kind} id={id} name={name} pressed={pressed} />
        </li>
      ))}
    </ul>
  );
}
