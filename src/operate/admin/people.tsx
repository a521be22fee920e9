import { PassThrough } from "node:stream";
import * as log from "../../community/log/log.ts";
import * as access from "../../community/moderation/access.ts";
import { deleteUser, type Removed } from "../../community/moderation/deleting.ts";
import * as people from "../../community/moderation/people.ts";
import * as reports from "../../community/moderation/reports.ts";
import { listForStaff } from "../../community/users/directory.ts";
import { changeRole } from "../../community/users/moderation.ts";
import { LINK_MINUTES } from "../../community/users/one-time-links.ts";
import { sentenceOf } from "../../community/users/suspension.ts";
import { type Role, ROLES } from "../../community/users/users.ts";
import type { Actor } from "../../http/actor.ts";
import { FieldsError } from "../../platform/errors.ts";
import { choice, idIn, readField } from "../../platform/fields/fields.ts";
import { ADMIN, MODERATION, personPath, profilePath } from "../../platform/paths.ts";
import { doneAt } from "../../site/account/settings.tsx";
import { type Forms, runForm } from "../../site/forms.tsx";
import { NoRows, Pager } from "../../site/kit/components.tsx";
import { countedPage } from "../../site/kit.tsx";
import { Form, type FormFields } from "../../site/kit/forms.tsx";
import { ActForm, DAYS, mayActOn } from "../../site/staff/acting.tsx";
import {
  type Act,
  listRoute,
  running,
  type Sent,
  thingRoute,
  type ThingVisit,
} from "../../site/staff/kit.tsx";
import { AuthorFacts, Entries, Reported, Reports } from "../../site/staff/rows.tsx";

const PATH = `${ADMIN}/people`;
const PER_PAGE = 20;
/** Reports and measures, newest first. */
const FIRST = { limit: 50, offset: 0 };

/** Moderators see the same page, without the acts of admins. */
type Person = people.Account & { isForAdmin: boolean };

const ROLE_OPTIONS = Object.fromEntries(ROLES.map((role) => [role, role]));
const ROLE = { role: { label: "Role", kind: "radio", options: ROLE_OPTIONS } } as const satisfies FormFields;
const TYPED_NAME = {
  username: {
    label: "Username",
    heading: "Delete the account for good",
    hint: "Its articles, listings, images and keys go, its comments elsewhere become empty. Type the username to confirm it.",
    maxLength: 30,
    autocomplete: "off",
  },
} as const satisfies FormFields;
const NOTE = { note: { label: "Note for staff", kind: "textarea", maxLength: 2_000, rows: 3 } } as const;

const isFor = ({ isForAdmin }: Person) => isForAdmin;

const ACTS: Record<string, Act<Person>> = {
  role: {
    label: "Change the role",
    fields: ROLE,
    values: ({ role }) => ({ role }),
    isFor,
    submit: running(async (actor, { of: { id }, values }) => {
      const role = readField(choice(ROLE_OPTIONS), values["role"], "role") as Role;
      return changeRole(actor, { id, role });
    }),
  },
  link: {
    label: "Make a sign-in link",
    isFor,
    submit: (sent) =>
      runForm<string>(sent.visit, (actor) => access.makeSignInLink(actor, sent.of.id), {
        ...sent.to,
        end: (path) => sent.show(<SignInLink url={sent.visit.site.baseUrl + path} />),
      }),
  },
  sessions: {
    label: "End all sessions",
    isFor,
    submit: ({ visit, of: { id }, to }) =>
      runForm<number>(visit, (actor) => access.endSessions(actor, id), {
        ...to,
        endsAccess: id === visit.viewer.id,
      }),
  },
  factor: {
    label: "Turn the second factor off",
    isFor,
    submit: running((actor, { of }) => access.turnFactorOff(actor, of.id)),
  },
  export: { label: "Export as an archive", isFor, submit: download },
  delete: {
    label: "Delete",
    fields: TYPED_NAME,
    isFor,
    submit({ visit, of: { id, username }, values }) {
      const { db, files } = visit.services;
      if (values["username"]?.trim().toLowerCase() !== username)
        throw new FieldsError({ username: [`must be ${username}`] }, "");
      const erase = (actor: Actor) =>
        deleteUser({ db: db.main, files }, { id, actor: actor as Actor<Removed>, now: actor.now() });
      return runForm(visit, erase, { to: doneAt(PATH, "acted") });
    },
  },
};

const SignInLink = ({ url }: { url: string }) => (
  <p class="done" role="status">
    This link signs the person in, once, within {LINK_MINUTES} minutes. It is shown only now:{" "}
    <code>{url}</code>
  </p>
);

/** Loaded when it is needed: its imports are those of a whole community. */
function download({ visit, of: { id, username }, to }: Sent<Person>) {
  const { reply, services, site } = visit;
  const source = { db: services.db.slow, files: services.files, baseUrl: site.baseUrl };
  const end = async () => {
    const { writeArchive } = await import("../own-data/own-data.ts");
    const sink = new PassThrough();
    const disposition = `attachment; filename="${username}.zip"`;
    reply
      .type("application/zip")
      .headers({ "content-disposition": disposition, "cache-control": "private, no-store" });
    void writeArchive(source, id, sink).then(
      () => sink.end(),
      (error: Error) => sink.destroy(error),
    );
    void reply.send(sink);
    return undefined;
  };
  return runForm<boolean>(visit, (actor) => access.noteExport(actor, id), { ...to, end });
}

export function peopleRoutes(forms: Forms): void {
  listRoute(forms, PATH, {
    title: "People",
    search: "Name, username or e-mail address",
    async rows(db, part) {
      const rows = await listForStaff(db, part);
      return rows.map(({ id, name, username, email, role, suspended, profile_image }) => ({
        key: String(id),
        name,
        href: personPath(id),
        picture: { kind: "user", id, profile_image },
        notes: [`@${username}`, email, role !== "member" && role, suspended && "suspended"],
      }));
    },
  });
  thingRoute<Person>(forms, `${MODERATION}/people/:key`, {
    isFor: "staff",
    access: "recent",
    async find({ services, params, viewer }) {
      const id = idIn(params.key) ?? 0;
      const account = (await people.list(services.db.main, [id])).get(id);
      return account && { ...account, isForAdmin: viewer.role === "admin" };
    },
    title: ({ username }) => `@${username}`,
    body: standing,
    below: past,
    acts: ACTS,
  });
}

async function standing(person: Person, { services, site, viewer }: ThingVisit) {
  const { id, username, name, role, suspended, spam, staff_note } = person;
  const back = personPath(id);
  const acts = {
    ...(!spam && { suspend: "Suspend", spam: "Mark as spam" }),
    ...(suspended && { lift: "Lift" }),
  };
  const mayAct = mayActOn(viewer, person);
  return (
    <>
      <p class="meta">
        <a href={profilePath(username)} dir="auto">
          {name}
        </a>
        <span>{role}</span>
        <AuthorFacts author={person} now={site.now} />
      </p>
      {suspended && <p class="notice">{await sentenceOf(services.db.main, id)}</p>}
      <ActForm on={{ kind: "user", id }} acts={mayAct ? acts : {}} back={back}>
        {!spam && (
          <select name="days" aria-label="Suspend for">
            {Object.entries(DAYS).map(([days, words]) => (
              <option value={days}>{words}</option>
            ))}
          </select>
        )}
      </ActForm>
      {mayAct && (
        <Form
          action={`${MODERATION}/user/${id}/note`}
          typed={{ values: { note: staff_note ?? "" }, faults: [] }}
          fields={NOTE}
          hidden={{ back }}
          submit="Save"
        />
      )}
    </>
  );
}

async function past(person: Person, visit: ThingVisit) {
  const { id } = person;
  const [db, { now }, path] = [visit.services.db.main, visit.site, personPath(id)];
  const { rows, place } = await countedPage(visit, { path, perPage: PER_PAGE }, (cut) =>
    people.textsOf(db, id, cut),
  );
  const reported = await reports.ofAuthor(db, id, FIRST);
  const things = await reports.thingsOf(db, reported);
  const mayAct = mayActOn(visit.viewer, person);
  const measures = await log.list(db, { userId: id, ...FIRST });
  return (
    <>
      <h2>Reports</h2>
      {reported.length === 0 ? <p>No reports</p> : <Reports list={reported} now={now} things={things} />}
      <h2>Measures</h2>
      {measures.length === 0 ? <p>No measures</p> : <Entries list={measures} now={now} />}
      <h2>Texts</h2>
      {rows.length === 0 && <NoRows noun="texts" first={place.first} title="No texts" />}
      {rows.map((thing) => (
        <Reported {...thing} thing={thing} mayAct={mayAct} now={now} back={path} under={2} />
      ))}
      <Pager prev={place.prev} next={place.next} />
    </>
  );
}
