import { Type } from "typebox";
import * as editing from "../community/articles/editing.ts";
import { mayPost } from "../community/articles/articles.ts";
import * as removal from "../community/articles/removal.ts";
import { invalid, notFound } from "../platform/errors.ts";
import { idIn } from "../platform/fields/fields.ts";
import { articlePath, DASHBOARD, NEW_ARTICLE, pathUnder } from "../platform/paths.ts";
import { narrowPage } from "./account/parts.tsx";
import { editorPage, editPath, FIELDS } from "./editor-form.tsx";
import { type Forms, type MemberVisit, type OwnPage, runForm } from "./forms.tsx";
import { Form, type Typed } from "./kit/forms.tsx";
import { gonePage, SavedNotice, submitEditor } from "./saving.tsx";

type ArticleVisit = MemberVisit<object, { name: string; slug: string }>;

const Path = Type.Object({ name: Type.String(), slug: Type.String() });

export function editorRoutes(forms: Forms): void {
  forms.member(NEW_ARTICLE, {
    fields: FIELDS,
    asksToSignIn: true,
    async show(visit, typed) {
      if (!mayPost(visit.viewer, visit.site.settings) && typed.faults.length === 0) throw notFound();
      return editorPage(visit, { typed });
    },
    async submit(visit, form) {
      if (!mayPost(visit.viewer, visit.site.settings))
        throw invalid("Only admins write articles in this community: copy your text to keep it");
      return submitEditor(visit, undefined, form);
    },
  });
  forms.member("/:name/:slug/edit", {
    fields: FIELDS,
    params: Path,
    querystring: Type.Object({ done: Type.Optional(Type.Literal("saved")) }),
    asksToSignIn: true,
    async show(visit, typed) {
      const row = await find(visit, typed.values);
      if (row === undefined) throw notFound();
      const isSaved = visit.query.done && typed.faults.length === 0;
      return editorPage(visit, {
        row,
        typed,
        above: isSaved && <SavedNotice row={row} viewer={visit.viewer} />,
      });
    },
    async submit(visit, form) {
      const row = await find(visit, form.values);
      if (row === undefined && form.values["body_markdown"] === undefined) throw notFound();
      return row ? submitEditor(visit, row, form) : gonePage(visit, form.values);
    },
  });
  forms.member("/:name/:slug/delete", { fields: {}, params: Path, show: deletionPage, submit: remove });
}

async function deletionPage(visit: ArticleVisit, typed: Typed): Promise<OwnPage> {
  const row = await find(visit);
  if (row === undefined) throw notFound();
  return narrowPage({
    title: "Delete this article?",
    typed,
    body: (
      <>
        <p>
          <strong dir="auto">{row.title}</strong> disappears at once. You can restore it on your dashboard for{" "}
          {removal.KEPT_DAYS} days.
        </p>
        <Form action={`${articlePath(row)}/delete`} typed={typed} submit="Delete" />
        <p>
          <a href={editPath(row)}>Keep it</a>
        </p>
      </>
    ),
  });
}

async function remove(visit: ArticleVisit): Promise<undefined> {
  const { id = 0 } = (await find(visit)) ?? {};
  return runForm<void>(visit, (actor) => removal.remove(actor, id), { to: `${DASHBOARD}?state=deleted` });
}

/** A form of a draft knows its article, whose path has changed if it was published meanwhile. */
function find({ services, session, params }: ArticleVisit, values: Typed["values"] = {}) {
  const wanted = { path: pathUnder(params.name, params.slug), id: idIn(values["article"] ?? "") };
  return editing.find(services.db.main, session, wanted);
}
