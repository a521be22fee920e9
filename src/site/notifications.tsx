import { Type } from "typebox";
import { addressOf } from "../community/comments/reading.ts";
import * as notifications from "../community/notifications/notifications.ts";
import { notification, wordsOf } from "../community/notifications/view.ts";
import * as invitations from "../community/organizations/invitations.ts";
import { idIn } from "../platform/fields/fields.ts";
import { NOTIFICATIONS as PATH, profilePath } from "../platform/paths.ts";
import { narrowPage } from "./account/parts.tsx";
import { type Done, type Forms, type MemberVisit, type OwnPage, runForm, runUnseen } from "./forms.tsx";
import { Avatar, Day, NoRows, Pager } from "./kit/components.tsx";
import { FormToken, type Typed } from "./kit/forms.tsx";
import { cursor, cursorPage } from "./kit.tsx";
import { RowButton, RowForm, Rows } from "./staff/kit.tsx";
import { REFERENCE } from "./reference/topics.ts";

const Id = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });

export function notificationRoutes(forms: Forms): void {
  forms.member(PATH, {
    fields: {},
    querystring: Type.Object({ cursor }),
    show: notificationsPage,
    submit(visit, { values }) {
      const [, act, id = ""] = /^(accept|decline) (\d+)$/.exec(values["act"] ?? "") ?? [];
      const organizationId = idIn(id);
      if (organizationId === undefined) return markAllRead(visit);
      const answer = { organizationId, accepts: act === "accept" };
      return runForm<void>(visit, (actor) => invitations.answer(actor, answer), { to: PATH });
    },
  });
  forms.member(`${PATH}/:id`, { fields: {}, params: Id, show: open, submit: open });
}

const markAllRead = (visit: MemberVisit) =>
  runUnseen(visit, (tx, by) => notifications.markAllRead(tx, visit.session.id, by.now()), { to: PATH });

/** Marks one as read, and leads to what it is about. Pictures of comments and browsers that look ahead read nothing. */
async function open(visit: MemberVisit<object, { id: number }>): Promise<Done | undefined> {
  const { "sec-fetch-dest": into = "document", "sec-purpose": purpose } = visit.request.headers;
  if (into !== "document" || purpose !== undefined) return { to: PATH };
  const one = { userId: visit.session.id, id: visit.params.id };
  return runUnseen(visit, (tx, by) => notifications.markRead(tx, one, by.now()), {
    to: PATH,
    end: (row: Read) => placeOf(visit, row),
  });
}

type Read = Awaited<ReturnType<typeof notifications.markRead>>;

async function placeOf(
  { services }: MemberVisit<object, { id: number }>,
  row: Read,
): Promise<{ to: string }> {
  const { path } = notification(row);
  if (row.kind === "webhook_disabled") return { to: REFERENCE };
  return { to: (row.comment_id && (await addressOf(services.db.main, row.comment_id))) || path };
}

async function notificationsPage(visit: MemberVisit<{ cursor?: string }>, typed: Typed): Promise<OwnPage> {
  const { viewer, site, services } = visit;
  const {
    part: { rows },
    place,
  } = await cursorPage(visit, 30, (_source, cut) => notifications.pageOf(services.db.main, viewer.id, cut));
  const invited = await invitations.invitationsOf(services.db.main, viewer.id);
  return narrowPage({
    title: "Notifications",
    path: PATH,
    ...place,
    typed,
    body: (
      <>
        {viewer.unread > 0 && (
          <form method="post" action={PATH}>
            <FormToken typed={typed} />
            <button class="button">Mark all read</button>
          </form>
        )}
        <RowForm action={PATH} typed={typed} />
        <Rows rows={invited.map(invitationRow)} />
        {rows.length === 0 && invited.length === 0 && (
          <NoRows noun="notifications" first={place.first} title="No notifications yet" />
        )}
        <ul class="rows">
          {rows.map((row) => (
            <Item row={row} now={site.now} />
          ))}
        </ul>
        <Pager {...place} />
      </>
    ),
  });
}

type Invitation = Awaited<ReturnType<typeof invitations.invitationsOf>>[number];

/** Those stand first, and count as unread, until they are answered. */
const invitationRow = ({ id, name, username, profile_image }: Invitation) => ({
  name: `${name} invites you to become a member`,
  href: profilePath(username),
  picture: { kind: "organization", id, profile_image } as const,
  notes: [],
  buttons: (
    <>
      <RowButton act={`accept ${id}`} of={name} children="Accept" />
      <RowButton act={`decline ${id}`} of={name} children="Decline" />
    </>
  ),
});

type Row = Awaited<ReturnType<typeof notifications.list>>[number];

function Item({ row, now }: { row: Row; now: Date }) {
  const { actor_id, actor_image: profile_image } = row;
  return (
    <li class={row.read_at === null ? "byline unread" : "byline"}>
      {actor_id !== null && <Avatar of={{ kind: "user", id: actor_id, profile_image }} side={32} />}
      <div>
        <a href={`${PATH}/${row.id}`}>
          <Sentence row={row} />
        </a>
        <p class="meta">
          <Day date={row.created_at} now={now} />
          {row.read_at === null && <strong>Unread</strong>}
        </p>
      </div>
    </li>
  );
}

function Sentence({ row }: { row: Row }) {
  const { kind, notice, actor_name } = row;
  const actor = <span dir="auto">{actor_name}</span>;
  const about = <span dir="auto">{notification(row).title}</span>;
  if (notice !== null) return about;
  if (kind === "webhook_disabled") return <>A webhook endpoint of yours is disabled: {about}</>;
  if (actor_name === null) return <>Your article {about} is published</>;
  if (kind === "follow") return <>{actor} follows you</>;
  return (
    <>
      {actor} {wordsOf(row)} {about}
    </>
  );
}
