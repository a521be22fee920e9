import { Type } from "typebox";
import * as reports from "../community/moderation/reports.ts";
import { find, KINDS, type Thing as Found } from "../community/moderation/things.ts";
import { firstWords } from "../content/text/plain-text.ts";
import { lacksFactor } from "../http/actor.ts";
import { notFound, unauthorized } from "../platform/errors.ts";
import { reportPath, signInPath, TWO_FACTOR_PAGE } from "../platform/paths.ts";
import { LinkButton, narrowPage, WhomToAsk } from "./account/parts.tsx";
import { type Forms, type MemberVisit, runForm } from "./forms.tsx";
import { Form, type FormFields } from "./kit/forms.tsx";

export const Thing = Type.Object({
  kind: Type.Enum([...KINDS]),
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const NOUNS = { article: "article", comment: "comment", user: "person", listing: "listing" };

/** That of a comment is its first words. */
export const titleOf = (kind: keyof typeof NOUNS, thing: Found | undefined): string =>
  thing?.title || firstWords(thing?.html ?? "", 80) || `The ${NOUNS[kind]}`;

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
      const path = reportPath(params.kind, params.id);
      if (viewer === undefined)
        return narrowPage({
          title,
          body: (
            <p>
              <WhomToAsk contact={site.settings.contact_email} /> about it, or{" "}
              <a href={signInPath(path)}>sign in</a> to report it here.
            </p>
          ),
        });
      const thing = await find(services.db.main, params);
      if (!thing?.is_public) throw notFound();
      if (query.done !== undefined)
        return narrowPage({
          title: "Reported",
          body: [<p>Moderators see your report.</p>, <LinkButton to={thing.path}>Back</LinkButton>],
        });
      const body = [
        <p dir="auto">
          <a href={thing.path}>{titleOf(params.kind, thing)}</a>
        </p>,
        <Form action={path} typed={typed} fields={FIELDS} submit="Report" />,
      ];
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
