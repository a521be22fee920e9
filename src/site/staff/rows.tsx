import type { LogRow } from "../../community/log/log.ts";
import type { Account } from "../../community/moderation/people.ts";
import { REASONS, type ReportRow } from "../../community/moderation/reports.ts";
import type { Thing, ThingId } from "../../community/moderation/things.ts";
import { MODERATION as PATH, personPath, profilePath } from "../../platform/paths.ts";
import { counted, Day } from "../kit/components.tsx";
import { Prose, sanitized } from "../kit/html.tsx";
import { NOUNS } from "../report.tsx";
import { ActForm } from "./acting.tsx";
import { Rows } from "./kit.tsx";

interface ReportedProps extends ThingId {
  thing: Thing | undefined;
  author?: Account | undefined;
  now: Date;
  back: string;
  reports?: readonly ReportRow[];
}

/** A thing as it is, who wrote it, and what may be done with it. */
export function Reported({ kind, id, thing, author, now, back, reports = [] }: ReportedProps) {
  const isThere = thing !== undefined && thing.state !== "gone";
  return (
    <article class="moderated flow" aria-label={`${NOUNS[kind]} ${id}`}>
      <p class="meta">
        <a href={thing?.path ?? PATH} dir="auto">
          {thing?.title || `The ${NOUNS[kind]}`}
        </a>
        {author && <AuthorFacts author={author} now={now} />}
        {thing?.state === "hidden" && <strong>Hidden</strong>}
      </p>
      {isThere && thing.html !== "" && (
        <Prose html={sanitized(thing.html)} under={2} scope={`${kind}-${id}`} />
      )}
      {isThere && thing.summary && <p dir="auto">{thing.summary}</p>}
      {!isThere && <p class="muted">It is deleted.</p>}
      <Reports list={reports} now={now} />
      <ActForm
        on={{ kind, id }}
        acts={{ ...(reports.length > 0 && { dismiss: "Dismiss" }), ...actsOn(thing) }}
        back={back}
      />
      <p class="acts">
        {isThere && (kind === "article" || kind === "comment") && (
          <a href={`${PATH}/${kind}/${id}/delete`}>Delete</a>
        )}
        {author && <a href={personPath(author.id)}>Suspend or mark as spam</a>}
      </p>
    </article>
  );
}

function actsOn(thing: Thing | undefined): Record<string, string> {
  if (thing?.kind === "comment" && thing.state === "hidden") return { show: "Show" };
  if (thing?.state !== "shown" || thing.kind === "user") return {};
  return thing.kind === "comment" ? { hide: "Hide" } : { unpublish: "Unpublish" };
}

export function AuthorFacts({ author, now }: { author: Account; now: Date }) {
  return (
    <>
      <a href={personPath(author.id)}>@{author.username}</a>
      <span>
        since <Day date={author.created_at} now={now} />
      </span>
      {author.measures > 0 && <span>{counted(author.measures, "earlier measure")}</span>}
      {author.suspended && <strong>{author.spam ? "Spam" : "Suspended"}</strong>}
    </>
  );
}

export function Reports({ list, now }: { list: readonly ReportRow[]; now: Date }) {
  const rows = list.map(({ reason, text, reporter, created_at, closed_at }) => ({
    name: [<strong>{REASONS[reason]}</strong>, ` ${text}`],
    notes: [
      <a href={profilePath(reporter)}>@{reporter}</a>,
      <Day date={created_at} now={now} />,
      closed_at && "closed",
    ],
  }));
  return <Rows rows={rows} />;
}

const WHO: Record<string, string> = { user: "a deleted account", operator: "operator", job: "the site" };

export function Entries({ list, now }: { list: readonly LogRow[]; now: Date }) {
  const rows = list.map((row) => ({
    name: [
      row.actor === null ? WHO[row.actor_kind] : <a href={profilePath(row.actor)}>@{row.actor}</a>,
      <strong> {row.act.replaceAll("_", " ")} </strong>,
      row.detail && `${row.detail}: `,
      row.on_name || `${row.on_kind} ${row.on_id ?? ""}`,
    ],
    notes: [
      row.reason,
      row.user !== null && <a href={personPath(row.user_id ?? 0)}>@{row.user}</a>,
      <Day date={row.created_at} now={now} />,
    ],
  }));
  return <Rows rows={rows} />;
}
