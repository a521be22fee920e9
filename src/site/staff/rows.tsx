import type { LogRow } from "../../community/log/log.ts";
import type { Account } from "../../community/moderation/people.ts";
import { REASONS, type ReportRow } from "../../community/moderation/reports.ts";
import type { Thing, ThingId } from "../../community/moderation/things.ts";
import { MODERATION as PATH, personPath, profilePath } from "../../platform/paths.ts";
import { counted, Day } from "../kit/components.tsx";
import { Prose, sanitized } from "../kit/html.tsx";
import { NOUNS, titleOf } from "../report.tsx";
import { ActForm } from "./acting.tsx";
import { Rows } from "./kit.tsx";

interface ReportedProps extends ThingId {
  thing: Thing | undefined;
  author?: Account | undefined;
  now: Date;
  back: string;
  /** Whether the viewer may act on the author. */
  mayAct: boolean;
  /** The level of the heading that it stands under. */
  under?: number;
  reports?: readonly ReportRow[];
}

/** A thing as it is, who wrote it, and what may be done with it. */
export function Reported({ kind, id, thing, author, now, reports = [], ...shown }: ReportedProps) {
  const { back, mayAct, under = 1 } = shown;
  const isThere = thing !== undefined && thing.state !== "gone";
  return (
    <article class="moderated flow" aria-label={`${NOUNS[kind]} ${id}`}>
      <p class="meta">
        <a href={thing?.path ?? PATH} dir="auto">
          {titleOf(kind, thing)}
        </a>
        {author && <AuthorFacts author={author} now={now} />}
        {thing?.state === "hidden" && <strong>Hidden</strong>}
      </p>
      {isThere && thing.html !== "" && (
        <Prose html={sanitized(thing.html)} under={under} scope={`${kind}-${id}`} />
      )}
      {isThere && thing.summary && <p dir="auto">{thing.summary}</p>}
      {!isThere && <p class="muted">It is deleted.</p>}
      <Reports list={reports} now={now} />
      <ActForm
        on={{ kind, id }}
        acts={mayAct ? { ...(reports.length > 0 && { dismiss: "Dismiss" }), ...actsOn(thing) } : {}}
        back={back}
      />
      <p class="acts">
        {mayAct && isThere && (kind === "article" || kind === "comment") && (
          <a href={`${PATH}/${kind}/${id}/delete`}>Delete</a>
        )}
        {mayAct && author && <a href={personPath(author.id)}>Suspend or mark as spam</a>}
      </p>
    </article>
  );
}

function actsOn(thing: Thing | undefined): Record<string, string> {
  if (thing?.kind === "comment" && thing.state === "hidden") return { show: "Show" };
  if (thing?.kind === "article" && thing.state === "gone") return { restore: "Restore" };
  if (thing?.state === "hidden") return { restore: "Restore" };
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

interface ReportsProps {
  list: readonly ReportRow[];
  now: Date;
  things?: readonly Thing[];
}

/** @param things what is named beside each report */
export function Reports({ list, now, things = [] }: ReportsProps) {
  const rows = list.map(({ reason, text, reporter, created_at, closed_at, kind, thing_id }) => {
    const thing = things.find((each) => each.kind === kind && each.id === thing_id);
    const notes = [
      thing && <a href={thing.path}>{titleOf(thing.kind, thing)}</a>,
      <a href={profilePath(reporter)}>@{reporter}</a>,
      <Day date={created_at} now={now} />,
      closed_at && "closed",
    ];
    return { name: [<strong>{REASONS[reason]}</strong>, ` ${text}`], notes };
  });
  return <Rows rows={rows} />;
}

const WHO: Record<string, string> = { user: "a deleted account", operator: "operator", job: "the site" };

export function Entries({ list, now }: { list: readonly LogRow[]; now: Date }) {
  const rows = list.map((row) => ({
    name: [
      row.actor === null ? WHO[row.actor_kind] : <a href={profilePath(row.actor)}>@{row.actor}</a>,
      <strong> {row.act.replaceAll("_", " ")} </strong>,
      row.on_name || row.on_kind,
      (row.on_kind === "site" || row.on_name === "") && ` ${row.on_id ?? ""}`,
      row.detail && `: ${row.detail.slice(0, 100)}`,
    ],
    notes: [
      row.reason,
      row.user !== null && <a href={personPath(row.user_id ?? 0)}>@{row.user}</a>,
      [<Day date={row.created_at} now={now} />, ` ${row.created_at.toISOString().slice(11, 16)} UTC`],
    ],
  }));
  return <Rows rows={rows} />;
}
