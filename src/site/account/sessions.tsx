import { notFound } from "../../platform/errors.ts";
import { idIn } from "../../platform/fields/fields.ts";
import { SESSIONS as PATH } from "../../platform/paths.ts";
import * as sessions from "../../community/users/sessions.ts";
import { Day } from "../kit/components.tsx";
import type { Typed } from "../kit/forms.tsx";
import { type Forms, type MemberVisit, runUnseen } from "../forms.tsx";
import { doneAt, EndableRows, settingsRoute } from "./settings.tsx";

/** The value of the button that ends all sessions but this one. */
const OTHERS = "others";

export function sessionRoutes(forms: Forms): void {
  settingsRoute(forms, PATH, {
    fields: {},
    access: "recent",
    body: sessionsBody,
    async submit(visit, { values }) {
      const { id: userId, sessionId } = visit.session;
      const { end: which = "" } = values;
      const id = idIn(which);
      if (which !== OTHERS && id === undefined) throw notFound();
      return runUnseen(
        visit,
        async (tx) =>
          id === undefined
            ? sessions.endAll(tx, userId, sessionId)
            : Number(await sessions.end(tx, { userId, id })),
        {
          to: doneAt(PATH, id === undefined ? "others" : "ended"),
          end: (ended) => ({ to: id === undefined ? doneAt(PATH, "others", ended) : doneAt(PATH, "ended") }),
          endsAccess: true,
        },
      );
    },
  });
}

async function sessionsBody({ services, session, site }: MemberVisit, typed: Typed) {
  const all = await sessions.list(services.db.main, session.id, services.now());
  return (
    <EndableRows
      path={PATH}
      typed={typed}
      rows={all}
      row={(each) => sessionRow(each, { isThis: each.id === session.sessionId, now: site.now })}
    >
      {all.length === 1 ? (
        <p class="muted">You are signed in on this browser only.</p>
      ) : (
        <button class="button strong" name="end" value={OTHERS}>
          End all others
        </button>
      )}
    </EndableRows>
  );
}

type Row = Awaited<ReturnType<typeof sessions.list>>[number];

function sessionRow(
  { id, browser, network, created_at, seen_at }: Row,
  { isThis, now }: { isThis: boolean; now: Date },
) {
  return (
    <>
      <p>
        <strong dir="auto">{browser || "Unknown browser"}</strong>
      </p>
      <p class="meta">
        <span>{network}</span>
        <span>
          began <Day date={created_at} now={now} />
        </span>
        <span>
          last seen <Day date={seen_at} now={now} />
        </span>
      </p>
      {isThis ? (
        <p class="muted">This browser</p>
      ) : (
        <button class="button" name="end" value={id}>
          End
        </button>
      )}
    </>
  );
}
