import { FieldsError, invalid } from "../../platform/errors.ts";
import { idIn } from "../../platform/fields/fields.ts";
import { parseMoment } from "../../platform/text/dates.ts";
import * as keys from "../../community/users/keys.ts";
import { Day } from "../kit/components.tsx";
import { Form, type FormFields, type Typed } from "../kit/forms.tsx";
import { type Forms, type MemberVisit, type OwnPage, runUnseen } from "../forms.tsx";
import { LinkButton } from "./parts.tsx";
import { doneAt, EndableRows, settingsPage, settingsRoute } from "./settings.tsx";

const PATH = "/settings/keys";
const UNUSED_MS = 90 * 86_400_000;

const FIELDS = {
  description: { label: "What is it for?", maxLength: 300, required: true, hint: "Such as “Blog sync”." },
  expires_at: { label: "Expires on", kind: "date", hint: "Empty: never." },
  read_only: { label: "It can only read", kind: "checkbox" },
} as const satisfies FormFields;

export function keyRoutes(forms: Forms): void {
  settingsRoute(forms, PATH, {
    fields: FIELDS,
    access: "recent",
    body: keysBody,
    async submit(visit, { values }) {
      if (values["revoke"] !== undefined) return revoke(visit, values["revoke"]);
      const { description = "", read_only } = values;
      const expiresAt = dateIn(values["expires_at"]);
      const wanted = {
        userId: visit.session.id,
        description,
        readOnly: read_only === "1",
        ...(expiresAt && { expiresAt }),
      };
      return runUnseen<Made>(visit, (tx, actor) => keys.create(tx, wanted, actor.now()), {
        to: doneAt(PATH, "key"),
        end: (made) => shownOnce(visit, made.key),
      });
    },
  });
}

type Made = Awaited<ReturnType<typeof keys.create>>;

async function revoke(visit: MemberVisit, text: string): Promise<undefined> {
  const id = idIn(text);
  if (id === undefined) throw invalid("There is no such key");
  return runUnseen(visit, (tx) => keys.revoke(tx, id, visit.session.id), {
    to: doneAt(PATH, "revoked"),
    endsAccess: true,
  });
}

function dateIn(text = ""): Date | undefined {
  const date = text === "" ? undefined : parseMoment(text);
  if (text !== "" && date === undefined)
    throw new FieldsError({ expires_at: ["must be a date such as 2027-01-31"] }, "");
  return date;
}

async function keysBody(visit: MemberVisit, typed: Typed) {
  const { services, session, site } = visit;
  const all = await keys.list(services.db.main, session.id);
  return (
    <>
      {all.length === 0 ? (
        <Introduction baseUrl={site.baseUrl} />
      ) : (
        <EndableRows path={PATH} typed={typed} rows={all} row={(key) => keyRow(key, site.now)} />
      )}
      <h2>New key</h2>
      {all.length >= keys.MAX_KEYS ? (
        <p>You have {keys.MAX_KEYS} keys, the most that is allowed: revoke one first.</p>
      ) : (
        <NewKey visit={visit} typed={typed} />
      )}
    </>
  );
}

/** The password is asked for first, so that nothing is typed twice. */
function NewKey({ visit, typed }: { visit: MemberVisit; typed: Typed }) {
  if (visit.passwordPath === undefined)
    return <Form action={PATH} typed={typed} fields={FIELDS} submit="Make a key" />;
  return <LinkButton to={visit.passwordPath}>Confirm your password first</LinkButton>;
}

function Introduction({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <p>
        With a key, programs read and write in your name: a script that publishes from git, an editor, a
        client for Forem’s API.
      </p>
      <pre>
        <code>{`curl -H "api-key: YOUR_KEY" ${baseUrl}/api/articles/me`}</code>
      </pre>
    </>
  );
}

type Key = Awaited<ReturnType<typeof keys.list>>[number];

function keyRow(key: Key, now: Date) {
  return (
    <>
      <p>
        <strong dir="auto">{key.description}</strong> <code>{key.hint ?? "imported"}</code>
      </p>
      <p class="meta">
        {key.read_only && <span>read-only</span>}
        <span>
          made <Day date={key.created_at} now={now} />
        </span>
        <span>{useOf(key, now)}</span>
        {key.expires_at !== null && (
          <span>
            {key.expires_at <= now ? "expired" : "expires"} <Day date={key.expires_at} now={now} />
          </span>
        )}
      </p>
      <button class="button" name="revoke" value={key.id}>
        Revoke
      </button>
    </>
  );
}

function useOf({ last_used_at, created_at }: Key, now: Date) {
  const isUnused = (last_used_at ?? created_at).getTime() < now.getTime() - UNUSED_MS;
  if (last_used_at === null) return isUnused ? "never used for 90 days" : "never used";
  return (
    <>
      {isUnused ? "unused for 90 days, last used" : "last used"} <Day date={last_used_at} now={now} />
    </>
  );
}

/** The only place where the key is ever shown. */
function shownOnce({ site: { baseUrl } }: MemberVisit, key: string): OwnPage {
  return settingsPage({
    path: PATH,
    isSecret: true,
    body: (
      <>
        <p class="done" role="status">
          The key is made. It is shown only once: copy it now.
        </p>
        <pre>
          <code>{key}</code>
        </pre>
        <p>Try it:</p>
        <pre>
          <code>{`curl -H "api-key: ${key}" ${baseUrl}/api/users/me`}</code>
        </pre>
        <LinkButton to={PATH} isPlain>
          To your keys
        </LinkButton>
      </>
    ),
  });
}
