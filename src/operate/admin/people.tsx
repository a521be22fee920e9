import { PassThrough } from "node:stream";
import * as access from "../../community/moderation/access.ts";
import { showUser } from "../../community/moderation/accounts.ts";
import { deleteUser, type Removed } from "../../community/moderation/deleting.ts";
import { listForStaff } from "../../community/users/directory.ts";
import { changeRole } from "../../community/users/moderation.ts";
import { LINK_MINUTES } from "../../community/users/one-time-links.ts";
import { type Role, ROLES } from "../../community/users/users.ts";
import type { Actor } from "../../http/actor.ts";
import { FieldsError } from "../../platform/errors.ts";
import { choice, idIn, readField } from "../../platform/fields/fields.ts";
import { profilePath } from "../../platform/paths.ts";
import { type Forms, runForm } from "../../site/forms.tsx";
import { counted } from "../../site/kit/components.tsx";
import type { FormFields } from "../../site/kit/forms.tsx";
import { type Act, listRoute, type Sent, thingRoute } from "../../site/staff/things.tsx";

const PATH = "/admin/people";

type Person = Awaited<ReturnType<typeof showUser>>;

const ROLE_OPTIONS = Object.fromEntries(ROLES.map((role) => [role, role]));
const ROLE = { role: { label: "Role", kind: "radio", options: ROLE_OPTIONS } } as const satisfies FormFields;
const TYPED_NAME = {
  username: {
    label: "Delete the account for good, with its articles, listings, images and keys?",
    hint: "Its comments elsewhere become empty. Type the username to confirm it.",
    maxLength: 30,
    autocomplete: "off",
  },
} as const satisfies FormFields;

const endsAccess = ({ visit, of }: Sent<Person>) => of.id === visit.viewer.id;

const ACTS: Record<string, Act<Person>> = {
  role: {
    label: "Change the role",
    fields: ROLE,
    values: ({ role }) => ({ role }),
    submit(sent) {
      const role = readField(choice(ROLE_OPTIONS), sent.values["role"], "role") as Role;
      const change = { id: sent.of.id, role };
      return runForm<boolean>(sent.visit, (actor) => changeRole(actor, change), sent.to);
    },
  },
  link: {
    label: "Make a sign-in link",
    submit: (sent) =>
      runForm<string>(sent.visit, (actor) => access.makeSignInLink(actor, sent.of.id), {
        ...sent.to,
        end: (path) => sent.show(<SignInLink url={sent.visit.site.baseUrl + path} />),
      }),
  },
  sessions: {
    label: "End all sessions",
    submit: (sent) =>
      runForm<number>(sent.visit, (actor) => access.endSessions(actor, sent.of.id), {
        ...sent.to,
        endsAccess: endsAccess(sent),
      }),
  },
  factor: {
    label: "Turn the second factor off",
    submit: ({ visit, of, to }) => runForm<boolean>(visit, (actor) => access.turnFactorOff(actor, of.id), to),
  },
  export: { label: "Export as an archive", submit: download },
  delete: {
    label: "Delete",
    fields: TYPED_NAME,
    submit({ visit, of: { id, username }, values }) {
      const { db, files } = visit.services;
      if (values["username"]?.trim().toLowerCase() !== username)
        throw new FieldsError({ username: [`Type ${username}`] }, "");
      const erase = (actor: Actor) =>
        deleteUser({ db: db.main, files }, { id, actor: actor as Actor<Removed>, now: actor.now() });
      return runForm(visit, erase, { to: `${PATH}?done=1` });
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
        href: `${PATH}/${id}`,
        picture: { kind: "user", id, profile_image },
        notes: [`@${username}`, email, role !== "member" && role, suspended && "suspended"],
      }));
    },
  });
  thingRoute<Person>(forms, `${PATH}/:key`, {
    isFor: "admins",
    access: "recent",
    find: async ({ services, params }) => showUser(services.db.main, idIn(params.key) ?? 0),
    title: ({ name }) => name,
    body: ({ username, email, suspended, articles, comments, api_keys }) => (
      <p class="meta">
        <a href={profilePath(username)}>@{username}</a>
        {[email, suspended && "suspended", counted(articles, "article"), counted(comments, "comment")].map(
          (note) => note && <span>{note}</span>,
        )}
        <span>{counted(api_keys, "API key")}</span>
      </p>
    ),
    acts: ACTS,
  });
}
