import { Type } from "typebox";
import { idCode } from "../community/comments/id-codes.ts";
import * as reading from "../community/comments/reading.ts";
import { below, childrenOf } from "../community/comments/tree.ts";
import type { ShownRow } from "../community/comments/view.ts";
import { notFound } from "../platform/errors.ts";
import { findByPath } from "../community/articles/page.ts";
import { isPublic } from "../community/articles/publication-status.ts";
import { articlePath, commentPath, pathUnder, reportPath } from "../platform/paths.ts";
import { firstWords } from "../content/text/plain-text.ts";
import type { Shown } from "../community/taking-part/taking-part.ts";
import { ActButton, Acts, pressedIn } from "./acts.tsx";
import { CommentForm } from "./commenting.tsx";
import { newlyTyped } from "./forms.tsx";
import { Avatar, Breadcrumbs, counted, Day, NoRows, Pager, PersonLink } from "./kit/components.tsx";
import { Prose, sanitized } from "./kit/html.tsx";
import { countedPage, CountedPages, type Moved, moved, type Page, type Pages, type Visit } from "./kit.tsx";

const OfArticle = Type.Object({ name: Type.String(), slug: Type.String() });

export function commentRoutes(pages: Pages): void {
  pages.get("/:name/:slug/comments", { params: OfArticle, querystring: CountedPages }, allThreads);
  const Code = Type.Object({ code: Type.String() });
  pages.get("/comments/:code", { params: Code, querystring: CountedPages }, thread);
}

/** The bounds of a page. A comment with more characters of HTML has a page of its own. */
const SHOWN = { maxComments: 100, maxHtml: 4_000 };
/** The bounds of comments below an article or an episode. */
export const FIRST_SHOWN = { ...SHOWN, limit: 50 };

/** Characters of the running text of a long comment. */
const MAX_WORDS = 1_000;

/** Answers below this level are listed on it, one below the other. */
const MAX_LEVELS = 8;

interface TreeProps {
  rows: readonly ShownRow[];
  now: Date;
  reader: CommentReader;
}

/** What the buttons of comments depend on. */
export interface CommentReader {
  id: number | undefined;
  pressed: ReadonlySet<string>;
  /** Whether the reader may hide the comments of others. */
  mayHide: boolean;
}

/** The reader of comments under a thing of this owner. Beside the comments, buttons for `more` may be on the page. */
export async function commentReader(
  visit: Visit,
  { rows, ownerId, more }: { rows: readonly ShownRow[]; ownerId: number | null; more?: Shown },
): Promise<CommentReader> {
  const id = visit.site.viewer?.id;
  const pressed = await pressedIn(visit, { ...more, comments: rows.map((row) => row.id) });
  return { id, pressed, mayHide: id !== undefined && id === ownerId };
}

/** Threads as nested lists. */
export function CommentTree({ rows, ...shared }: TreeProps) {
  if (rows.length === 0) return null;
  const known = new Set(rows.map(({ id }) => id));
  const roots = rows.filter(({ parent_id }) => parent_id === null || !known.has(parent_id));
  return <Level rows={roots} level={1} answers={childrenOf(rows)} {...shared} />;
}

interface LevelProps extends TreeProps {
  level: number;
  /** The answers by the comment that they answer. */
  answers: ReadonlyMap<number, ShownRow[]>;
}

function Level({ rows, level, answers, ...shared }: LevelProps) {
  return (
    <ol class={level === 1 ? "comments" : undefined}>
      {rows.map((row) => {
        const under = level > MAX_LEVELS ? [] : below(row, answers, { level, maxLevels: MAX_LEVELS });
        return (
          <li>
            <Comment row={row} {...shared} />
            {under.length > 0 && <Level rows={under} level={level + 1} answers={answers} {...shared} />}
          </li>
        );
      })}
    </ol>
  );
}

interface CommentProps extends Omit<TreeProps, "rows"> {
  row: ShownRow;
}

function Comment({ row, now, reader }: CommentProps) {
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
      {isShown && row.is_cut && (
        <p dir="auto">
          {firstWords(row.body_html.replace(/<[^<>]*$/, ""), MAX_WORDS)}{" "}
          <a href={commentPath(code)}>Whole comment</a>
        </p>
      )}
      {isShown && !row.is_cut && (
        <Prose html={sanitized(row.body_html)} under={2} scope={`comment-${code}`} />
      )}
      {!isShown && (
        <p class="muted">
          {row.deleted ? "This comment was deleted." : "This comment is hidden."}
          {reader.id === row.author_id && row.hidden_reason && ` The reason: ${row.hidden_reason}`}
        </p>
      )}
      <CommentActs row={row} code={code} reader={reader} />
    </article>
  );
}

interface CommentActsProps {
  row: ShownRow;
  code: string;
  reader: CommentReader;
}

function CommentActs({ row, code, reader }: CommentActsProps) {
  const { id, deleted, hidden, hidden_reason, author_id } = row;
  const path = commentPath(code);
  const of = `the comment by ${row.name}`;
  if (deleted) return null;
  return (
    <div class="acts">
      {!hidden && (
        <>
          <ActButton
            act="like-comment"
            id={id}
            of={of}
            pressed={reader.pressed.has(`like-comment ${id}`)}
            count={row.reactions_count}
          />
          <a href={path} data-reply={code}>
            Reply<span class="visually-hidden"> {of}</span>
          </a>
        </>
      )}
      {!hidden && reader.id !== author_id && (
        <a href={reportPath("comment", id)} rel="nofollow">
          Report<span class="visually-hidden"> {of}</span>
        </a>
      )}
      {reader.id === author_id && (
        <>
          <a href={`${path}/edit`}>
            Edit<span class="visually-hidden"> {of}</span>
          </a>
          <a href={`${path}/delete`}>
            Delete<span class="visually-hidden"> {of}</span>
          </a>
        </>
      )}
      {reader.mayHide && hidden_reason === null && (
        <ActButton act="hide-comment" id={id} pressed={hidden} of={of} />
      )}
    </div>
  );
}

/** All comments of an article, by page. */
async function allThreads(
  visit: Visit<{ page: number }, { name: string; slug: string }>,
): Promise<Page | Moved> {
  const { source, site, request, params, query } = visit;
  const { page } = query;
  const row = await findByPath(source.db, params);
  if (row === undefined || !isPublic(row, site.now)) throw notFound();
  const path = articlePath(row);
  if (path !== pathUnder(params.name, params.slug)) return moved(request, `${path}/comments`);
  const list = { path: `${path}/comments`, perPage: SHOWN.maxComments };
  const { rows, place } = await countedPage(visit, list, () =>
    reading.pageOfThreads(source.db, { article_id: row.id }, { ...SHOWN, page }),
  );
  const reader = await commentReader(visit, { rows, ownerId: row.author_id });
  return {
    title: `Comments on ${row.title}`,
    ...place,
    isHidden: true,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={[{ label: row.title, href: path }]} />
        <h1>{counted(row.comments_count, "comment")}</h1>
        {rows.length === 0 && <NoRows noun="comments" first={place.first} title="No comments yet" />}
        <CommentTree rows={rows} now={site.now} reader={reader} />
        <Pager {...place} of="Previous, Next" />
        <Acts back={list.path} />
      </div>
    ),
  };
}

async function thread(visit: Visit<{ page: number }, { code: string }>): Promise<Page | Moved> {
  const { source, site, params, query, request } = visit;
  const { page } = query;
  const found = await reading.threadOf(source.db, params.code, { ...SHOWN, page });
  if (found === undefined) throw notFound();
  const { asked, under } = found;
  const path = commentPath(idCode(asked.id));
  if (params.code !== idCode(asked.id)) return moved(request, path);
  const { rows, place } = await countedPage(visit, { path, perPage: SHOWN.maxComments }, async () =>
    found.rows.filter((row) => row !== asked),
  );
  const reader = await commentReader(visit, { rows: [asked, ...rows], ownerId: under.ownerId });
  const isShown = !asked.deleted && !asked.hidden;
  const who = !isShown ? "A comment" : `Comment by ${asked.name}`;
  return {
    title: `${who} on ${under.title}`,
    ...place,
    isHidden: true,
    hasText: true,
    body: (
      <div class="narrow">
        <Breadcrumbs crumbs={[{ label: under.title, href: under.path }]} />
        <h1>{who}</h1>
        {asked.parent_id !== null && (
          <p>
            <a href={commentPath(idCode(asked.parent_id))}>The comment it replies to</a>
          </p>
        )}
        {place.first === undefined ? (
          <CommentTree rows={[asked, ...rows]} now={site.now} reader={reader} />
        ) : (
          <NoRows noun="comments" first={place.first} title="No comments" />
        )}
        <Pager {...place} of="Previous, Next" />
        {isShown && <ReplyForm to={asked} thread={found} back={path} site={site} />}
        <Acts back={path} />
        <p class="spaced">
          <a class="button" href={`${under.path}#comments`}>
            All comments
          </a>
        </p>
      </div>
    ),
  };
}

interface ReplyFormProps {
  to: ShownRow;
  thread: reading.Thread;
  back: string;
  site: Visit["site"];
}

const ReplyForm = ({ to, thread: { under }, back, site }: ReplyFormProps) => (
  <CommentForm
    target={under.target}
    parent={{ code: idCode(to.id), name: to.name }}
    back={back}
    typed={newlyTyped(site)}
  />
);
