import { Type } from "typebox";
import { idCode } from "../comments/id-codes.ts";
import * as reading from "../comments/reading.ts";
import { childrenOf, everythingBelow } from "../comments/tree.ts";
import type { ShownRow } from "../comments/view.ts";
import { notFound } from "../errors.ts";
import { commentPath } from "../paths.ts";
import { Avatar, Breadcrumbs, Day, PersonLink } from "../web/components.tsx";
import { Prose, sanitized } from "../web/html.tsx";
import type { Page } from "../web/page.tsx";
import type { Pages, Visit } from "./kit.tsx";

export function commentRoutes(pages: Pages): void {
  pages.get("/comments/:code", { params: Type.Object({ code: Type.String() }) }, thread);
}

/** Answers below this level are listed on it, one below the other. */
const MAX_LEVELS = 8;

interface TreeProps {
  rows: readonly ShownRow[];
  now: Date;
}

/** Threads as nested lists. */
export function CommentTree({ rows, now }: TreeProps) {
  if (rows.length === 0) return null;
  const children = childrenOf(rows);
  const known = new Set(rows.map(({ id }) => id));
  const roots = rows.filter(({ parent_id }) => parent_id === null || !known.has(parent_id));
  return (
    <Level rows={roots} now={now} level={1} below={(row) => children.get(row.id) ?? []} all={children} />
  );
}

interface LevelProps extends TreeProps {
  level: number;
  below: (row: ShownRow) => readonly ShownRow[];
  all: Map<number, ShownRow[]>;
}

function Level({ rows, now, level, below, all }: LevelProps) {
  return (
    <ol class={level === 1 ? "comments" : undefined}>
      {rows.map((row) => {
        const answers =
          level < MAX_LEVELS
            ? below(row)
            : everythingBelow(row, all).toSorted((one, other) => one.id - other.id);
        return (
          <li>
            <Comment row={row} now={now} />
            {answers.length > 0 && (
              <Level
                rows={answers}
                now={now}
                level={level + 1}
                below={level < MAX_LEVELS ? below : () => []}
                all={level < MAX_LEVELS ? all : new Map()}
              />
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Comment({ row, now }: { row: ShownRow; now: Date }) {
  const code = idCode(row.id);
  const isShown = !row.deleted && !row.hidden;
  return (
    <article class="comment" id={`comment-${code}`}>
      <div class="byline">
        {isShown && <Avatar of={{ kind: "user", ...row, id: row.author_id }} side={24} />}
        <span>
          {isShown && <PersonLink person={row} />}{" "}
          <a class="muted" href={commentPath(code)}>
            <Day date={row.created_at} now={now} />
          </a>
        </span>
      </div>
      {isShown ? (
        <Prose html={sanitized(row.body_html)} />
      ) : (
        <p class="muted">{row.deleted ? "This comment was deleted." : "This comment is hidden."}</p>
      )}
    </article>
  );
}

async function thread({ source, site, params }: Visit<object, { code: string }>): Promise<Page> {
  const found = await reading.threadOf(source.db, params.code);
  if (found === undefined) throw notFound();
  const { asked, rows, under } = found;
  const who = asked.deleted || asked.hidden ? "A comment" : `Comment by ${asked.name}`;
  return {
    title: `${who} on ${under.title}`,
    path: commentPath(params.code),
    isHidden: true,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={[{ label: under.title, href: under.path }]} />
        <h1>{who}</h1>
        {asked.parent_id !== null && (
          <p>
            <a href={commentPath(idCode(asked.parent_id))}>The comment it answers</a>
          </p>
        )}
        <CommentTree rows={rows} now={site.now} />
        <p>
          <a class="button" href={`${under.path}#comments`}>
            All comments
          </a>
        </p>
      </div>
    ),
  };
}
