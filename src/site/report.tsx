import { Type } from "typebox";
import * as reports from "../community/moderation/reports.ts";
import { find, KINDS } from "../community/moderation/things.ts";
import { lacksFactor } from "../http/actor.ts";
import { notFound, unauthorized } from "../platform/errors.ts";
import { reportPath, TWO_FACTOR_PAGE } from "../platform/paths.ts";
import { LinkButton, narrowPage, WhomToAsk } from "./account/parts.tsx";
import { type Forms, type MemberVisit, runForm } from "./forms.tsx";
import { Form, type FormFields } from "./kit/forms.tsx";

export const Thing = Type.Object({
  kind: Type.Enum([...KINDS]),
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const NOUNS = { article: "article", comment: "comment", user: "person", listing: "listing" };

const FIELDS = {
  reason: { label: "Reason", kind: "radio", options: reports.REASONS, required: true },
  text: { label: "What should moderators know?", kind: "textarea", maxLength: reports.MAX_TEXT, rows: 4 },
} as const satisfies FormFields;

export function reportRoutes(forms: Forms): void {
  forms.open("/reports/:kind/:id", {
    fields: FIELDS,
    params: Thing,
    querystring: Type.Object({ done: Type.Optional(Type.String()) }),
    async show({ viewer, params, services, site, query }, typed) {
      const title = `Report this ${NOUNS[params.kind]}`;
      if (viewer === undefined)
        return narrowPage({
          title,
          body: (
            <p>
              <WhomToAsk contact={site.settings.contact_email} /> about it, or sign in to report it here.
            </p>
          ),
        });
      const thing = await find(services.db.main, params);
      if (!thing?.is_public) throw notFound();
      if (query.done !== undefined)
        return narrowPage({ title: "Reported", body: <LinkButton to={thing.path}>Back</LinkButton> });
      const path = reportPath(params.kind, params.id);
      const body = <Form action={path} typed={typed} fields={FIELDS} submit="Report" />;
      return narrowPage({ title, typed, body });
    },
    async submit(visit, { values }) {
      if (visit.session === undefined) throw unauthorized();
      if (lacksFactor(visit.session, visit.site.settings)) return { to: TWO_FACTOR_PAGE };
      const { reason = "", text = "" } = values;
      const given = { ...visit.params, reason, text };
      return runForm<void>(visit as MemberVisit, (actor) => reports.report(actor, given), {
        to: `${reportPath(visit.params.kind, visit.params.id)}?done=1`,
      });
    },
  });
}
