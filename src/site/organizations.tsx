import { listOrganizations } from "../community/moderation/accounts.ts";
import * as invitations from "../community/organizations/invitations.ts";
import * as organizations from "../community/organizations/organizations.ts";
import { idsByUsername } from "../community/users/users.ts";
import { FieldsError } from "../platform/errors.ts";
import { idIn } from "../platform/fields/fields.ts";
import { ADMIN, organizationSettingsPath, NEW_ORGANIZATION as PATH } from "../platform/paths.ts";
import { narrowPage } from "./account/parts.tsx";
import { editWithPicture, PICTURE_FIELDS, textsOf } from "./account/profile.tsx";
import { type Forms, type MemberVisit, type OwnPage, runForm } from "./forms.tsx";
import { counted } from "./kit/components.tsx";
import { Form, type FormFields, type Typed } from "./kit/forms.tsx";
import { type Act, listRoute, RowButton, Rows, running, thingRoute, type ThingVisit } from "./staff/kit.tsx";

const TEXTS = {
  name: { label: "Name", maxLength: 100, required: true },
  tag_line: { label: "Tag line", maxLength: 200, hint: "One line under the name." },
  summary: { label: "Summary", kind: "textarea", maxLength: 2_000 },
  story: { label: "Story", kind: "textarea", maxLength: 10_000 },
  tech_stack: { label: "Works with", kind: "textarea", maxLength: 2_000 },
  location: { label: "Location", maxLength: 200 },
  url: { label: "Website", kind: "url", inputmode: "url", maxLength: 2_000 },
} as const satisfies FormFields;
const NEW = {
  username: {
    label: "Username",
    maxLength: 30,
    required: true,
    hint: "2 to 30 letters a to z, digits or underscores. It stays as it is.",
  },
  ...TEXTS,
};
const INVITED = {
  invite: { label: "Invite a member", maxLength: 30, hint: "Their username.", autocomplete: "off" },
};

export function organizationRoutes(forms: Forms): void {
  forms.member(PATH, {
    fields: NEW,
    show: ownPage,
    submit(visit, { values }) {
      const profile = textsOf(NEW, values);
      const to = organizationSettingsPath(profile.username.toLowerCase());
      return runForm<organizations.Created>(visit, (actor) => organizations.create(actor, profile), { to });
    },
  });
  thingRoute<Own>(forms, organizationSettingsPath(":key"), {
    isFor: "member",
    find,
    title: ({ name }) => name,
    body: async ({ id: organizationId, isAdmin }, { services }) => (
      <Rows
        rows={(await organizations.listRoles(services.db.main, organizationId)).map(
          ({ id, name, username, role, profile_image }) => ({
            name,
            notes: [`@${username}`, role],
            picture: { kind: "user", id, profile_image },
            buttons: isAdmin && <MemberButtons id={id} name={name} role={role} />,
          }),
        )}
      />
    ),
    acts: ACTS,
  });
  listRoute(forms, `${ADMIN}/organizations`, {
    title: "Organizations",
    search: "Part of the name or username",
    async rows(db, part) {
      const rows = await listOrganizations(db, part);
      return rows.map(({ id, username, name, members, admins }) => ({
        key: String(id),
        name,
        href: organizationSettingsPath(username),
        notes: [`@${username}`, counted(members, "member"), counted(admins, "admin")],
      }));
    },
  });
}

/** The viewer's organizations above the form of a new one. */
async function ownPage({ services, session }: MemberVisit, typed: Typed): Promise<OwnPage> {
  const own = await organizations.listOf(services.db.main, session.id);
  const rows = own.map(({ name, username }) => ({
    name,
    notes: [`@${username}`],
    href: organizationSettingsPath(username),
  }));
  return narrowPage({
    title: "Organizations",
    path: PATH,
    typed,
    body: (
      <>
        {rows.length === 0 && <p>You are in no organization yet.</p>}
        <Rows rows={rows} />
        <h2>New organization</h2>
        <Form action={PATH} typed={typed} fields={NEW} submit="Create" />
      </>
    ),
  });
}

type Own = NonNullable<Awaited<ReturnType<typeof find>>>;

/** An organization, for its members and for admins of the site. */
async function find({ services, params, viewer }: ThingVisit) {
  const db = services.db.main;
  const organization = await organizations.findPublicProfile(db, params.key.toLowerCase());
  if (organization === undefined) return undefined;
  const role = await organizations.findRole(db, { userId: viewer.id, organizationId: organization.id });
  if (role === undefined && viewer.role !== "admin") return undefined;
  return { ...organization, role, isAdmin: role === "admin" || viewer.role === "admin" };
}

const MemberButtons = ({ id, name, role }: { id: number; name: string; role: string }) => (
  <>
    <RowButton act={role === "admin" ? `make_member ${id}` : `make_admin ${id}`} of={name}>
      {role === "admin" ? "Make a member" : "Make an admin"}
    </RowButton>
    <RowButton act={`remove ${id}`} of={name} children="Remove" />
  </>
);

const isFor = ({ isAdmin }: Own) => isAdmin;

/** Changes the membership of a person. */
const setting = (verb: typeof organizations.addMember, role?: organizations.MemberRole): Act<Own> => ({
  isFor,
  submit: running((actor, { of, arg }) =>
    verb(actor, {
      organizationId: of.id,
      userId: idIn(arg) ?? 0,
      ...(role && { role, mustBeMember: true }),
    }),
  ),
});

const ACTS: Record<string, Act<Own>> = {
  edit: {
    label: "Save",
    fields: { ...TEXTS, ...PICTURE_FIELDS },
    isFor,
    values: (organization) => textsOf(TEXTS, organization),
    submit({ visit, of: { id }, to: { to }, ...form }) {
      const change = textsOf(TEXTS, form.values);
      return editWithPicture(
        visit,
        form,
        (actor, picture) => organizations.edit(actor, { id, change, picture }),
        to,
      );
    },
  },
  invite: {
    label: "Invite",
    fields: INVITED,
    isFor,
    /** An admin of the site who isn't one of the organization makes members at once. */
    submit: running(async (actor, { visit, of, values }) => {
      const username = values["invite"]?.trim().toLowerCase() ?? "";
      const userId = (await idsByUsername(visit.services.db.main, [username])).get(username);
      if (userId === undefined)
        throw new FieldsError({ invite: ["needs the username of a person on this site"] }, "");
      const verb = of.role === "admin" ? invitations.invite : organizations.addMember;
      return verb(actor, { organizationId: of.id, userId });
    }),
  },
  make_admin: setting(organizations.addMember, "admin"),
  make_member: setting(organizations.addMember, "member"),
  remove: setting(organizations.removeMember),
  leave: {
    label: "Leave the organization",
    isFor: ({ role }) => role !== undefined,
    submit({ visit, of }) {
      const membership = { organizationId: of.id, userId: visit.viewer.id };
      return runForm<boolean>(visit, (actor) => organizations.removeMember(actor, membership), { to: PATH });
    },
  },
};
