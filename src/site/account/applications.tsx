import { type Static, Type } from "typebox";
import { FieldsError, invalid, notFound } from "../../platform/errors.ts";
import { idIn } from "../../platform/fields/fields.ts";
import { APPLICATIONS as PATH, withQuery } from "../../platform/paths.ts";
import { approve, decline, MAX_REASON } from "../../community/users/joining.ts";
import { listApplied } from "../../community/users/sign-ups.ts";
import { counted, Day } from "../kit/components.tsx";
import { ErrorSummary, Form, type FormFields, type Typed } from "../kit/forms.tsx";
import { type Forms, type MemberVisit, type OwnPage, runForm, runUnseen } from "../forms.tsx";

const FIELDS = {
  decision: {
    label: "Decision",
    kind: "radio",
    options: { approve: "Let in", decline: "Decline" },
    required: true,
  },
  decline_reason: { label: "Why not?", kind: "textarea", maxLength: MAX_REASON, rows: 3 },
} as const satisfies FormFields;

const Query = Type.Object({
  id: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  done: Type.Optional(Type.Enum(["decided", "meanwhile"])),
});

export function applicationRoutes(forms: Forms): void {
  forms.member(PATH, {
    fields: FIELDS,
    querystring: Query,
    async show(visit, typed) {
      requireRole(visit);
      return applicationsPage(visit, typed);
    },
    async submit(visit, { values }) {
      requireRole(visit);
      const id = idIn(values["application"] ?? "");
      if (id === undefined) throw invalid("There is no such application");
      const { decision, decline_reason: reason = "" } = values;
      const ends = { ...endOf(true), end: endOf };
      if (decision === "approve") return runForm<boolean>(visit, (actor) => approve(actor, id), ends);
      if (decision !== "decline") throw new FieldsError({ decision: ["must be one of those offered"] }, "");
      const declined = { userId: visit.session.id, id, reason };
      return runUnseen(visit, (tx, actor) => decline(tx, declined, actor.now()), ends);
    },
  });
}

const endOf = (isDone: boolean) => ({ to: withQuery(PATH, { done: isDone ? "decided" : "meanwhile" }) });

function requireRole({ viewer: { role } }: MemberVisit): void {
  if (role === "member") throw notFound();
}

type Applied = Awaited<ReturnType<typeof listApplied>>;

async function applicationsPage(
  { services, query, site }: MemberVisit<Static<typeof Query>>,
  typed: Typed,
): Promise<OwnPage> {
  const all = await listApplied(services.db.main);
  const wanted = Number(typed.values["application"] ?? query.id);
  const shown = all.find(({ id }) => id === wanted) ?? all[0];
  const isDecided = query.id !== undefined && query.id !== shown?.id;
  const done = isDecided ? "meanwhile" : query.done;
  return {
    title: "Applications",
    path: PATH,
    body: (
      <div class="narrow flow">
        <ErrorSummary faults={typed.faults} />
        {done !== undefined && (
          <p class="done" role="status">
            {done === "decided" ? "Decided." : "Someone else has decided it already."}
          </p>
        )}
        <h1 class="page-title">Applications</h1>
        {shown === undefined ? (
          <p>No applications</p>
        ) : (
          <>
            <Application of={shown} typed={typed} now={site.now} />
            <Others all={all} shown={shown.id} />
          </>
        )}
      </div>
    ),
  };
}

interface ApplicationProps {
  of: Applied[number];
  typed: Typed;
  now: Date;
}

function Application({ of, typed, now }: ApplicationProps) {
  return (
    <>
      <h2 dir="auto">
        {of.name} (@{of.username})
      </h2>
      <p class="meta">
        <span>address at {of.domain}</span>
        <span>network {of.network}</span>
        <span>
          since <Day date={of.created_at} now={now} />
        </span>
      </p>
      <p dir="auto">{of.reason}</p>
      <Form
        action={PATH}
        typed={typed}
        fields={FIELDS}
        submit="Decide"
        hidden={{ application: String(of.id) }}
      />
    </>
  );
}

function Others({ all, shown }: { all: Applied; shown: number }) {
  const others = all.filter(({ id }) => id !== shown);
  if (others.length === 0) return null;
  return (
    <>
      <h2>{counted(others.length, "other")}</h2>
      <ul class="rows">
        {others.map(({ id, name, username }) => (
          <li>
            <a dir="auto" href={withQuery(PATH, { id })}>
              {name} (@{username})
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
