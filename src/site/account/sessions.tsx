import { notFound } from "../../errors.ts";
import { idIn } from "../../fields/fields.ts";
import { writeUnseen } from "../../http/run-write.ts";
import * as sessions from "../../users/sessions.ts";
import { Day } from "../../web/components.tsx";
import { FormToken } from "../../web/forms.tsx";
import type { Forms } from "../forms.tsx";
import { unconfirmed } from "./confirming.tsx";
import { doneAt, DoneQuery, settingsPage } from "./settings.tsx";

const PATH = "/settings/sessions";

/** The value of the button that ends all sessions but this one. */
const OTHERS = "others";

export function sessionRoutes(forms: Forms): void {
  forms.member(PATH, {
    fields: {},
    querystring: DoneQuery,
    async show(visit, typed) {
      const { services, session, query, site } = visit;
      const all = await sessions.list(services.db.main, session.id, services.now());
      return settingsPage({
        path: PATH,
        typed,
        done: query.done,
        body: (
          <form method="post" action={PATH}>
            <FormToken typed={typed} />
            <ul class="rows">
              {all.map((each) => (
                <li>
                  <p>
                    <strong dir="auto">{each.browser || "Unknown browser"}</strong>
                  </p>
                  <p class="meta">
                    <span>{each.network}</span>
                    <span>
                      began <Day date={each.created_at} now={site.now} />
                    </span>
                    <span>
                      last seen <Day date={each.seen_at} now={site.now} />
                    </span>
                  </p>
                  {each.id === session.sessionId ? (
                    <p class="muted">This browser</p>
                  ) : (
                    <button class="button" name="end" value={each.id}>
                      End
                    </button>
                  )}
                </li>
              ))}
            </ul>
            {all.length === 1 ? (
              <p class="muted">You are signed in on this browser only.</p>
            ) : (
              <button class="button strong" name="end" value={OTHERS}>
                End all others
              </button>
            )}
          </form>
        ),
      });
    },
    async submit(visit, { values }) {
      const { services, session, request } = visit;
      const userId = session.id;
      const stop = unconfirmed(visit);
      if (stop !== undefined) return stop;
      const { end = "" } = values;
      const id = idIn(end);
      if (end !== OTHERS && id === undefined) throw notFound();
      await writeUnseen<unknown>(request, services.db.main, (tx) =>
        id === undefined ? sessions.endAll(tx, userId, session.sessionId) : sessions.end(tx, { userId, id }),
      );
      return { to: doneAt(PATH, end === OTHERS ? "others" : "ended") };
    },
  });
}
