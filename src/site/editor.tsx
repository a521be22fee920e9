import { Type } from "typebox";
import * as editing from "../community/articles/editing.ts";
import { mayPost } from "../community/articles/articles.ts";
import * as removal from "../community/articles/removal.ts";
import * as uploads from "../community/uploads/uploads.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { NO_FORM, type PageForm, pageFormBytes } from "../http/form-body.ts";
import type { Program } from "../http/operation.ts";
import { IMAGE_LIMITS } from "../content/images/images.ts";
import { invalid, notFound } from "../platform/errors.ts";
import { idIn } from "../platform/fields/fields.ts";
import { articlePath, DASHBOARD, NEW_ARTICLE, pathUnder, uploadPath } from "../platform/paths.ts";
import { narrowPage } from "./account/parts.tsx";
import { editorPage, FIELDS } from "./editor-form.tsx";
import type { Forms, MemberVisit } from "./forms.tsx";
import { runForm } from "./forms.tsx";
import { Form, type Typed } from "./kit/forms.tsx";
import { Saved, submitEditor } from "./saving.tsx";

type ArticleVisit = MemberVisit<object, { name: string; slug: string }>;

const Path = Type.Object({ name: Type.String(), slug: Type.String() });

export function editorRoutes(forms: Forms): void {
  forms.member(NEW_ARTICLE, {
    fields: FIELDS,
    asksToSignIn: true,
    async show(visit, typed) {
      requirePoster(visit);
      return editorPage(visit, { typed });
    },
    async submit(visit, form) {
      requirePoster(visit);
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
      const isSaved = visit.query.done && typed.faults.length === 0;
      return editorPage(visit, { row, typed, above: isSaved && <Saved row={row} /> });
    },
    submit: async (visit, form) => submitEditor(visit, await find(visit, form.values), form),
  });
  forms.member("/:name/:slug/delete", {
    fields: {},
    params: Path,
    async show(visit, typed) {
      const row = await find(visit);
      return narrowPage({
        title: "Delete this article?",
        typed,
        body: (
          <>
            <p>
              <strong dir="auto">{row.title}</strong> disappears at once. You can restore it on your dashboard
              for {removal.KEPT_DAYS} days.
            </p>
            <Form action={`${articlePath(row)}/delete`} typed={typed} submit="Delete" />
          </>
        ),
      });
    },
    async submit(visit) {
      const { id } = await find(visit);
      return runForm<void>(visit, (actor) => removal.remove(actor, id), { to: `${DASHBOARD}?state=deleted` });
    },
  });
}

function requirePoster({ viewer, site }: MemberVisit): void {
  if (!mayPost(viewer, site.settings)) throw notFound();
}

/** A form of a draft knows its article, whose path has changed if it was published meanwhile. */
async function find({ services, session, params }: ArticleVisit, values: Typed["values"] = {}) {
  const wanted = { path: pathUnder(params.name, params.slug), id: idIn(values["article"] ?? "") };
  const row = await editing.find(services.db.main, session, wanted);
  if (row === undefined) throw notFound();
  return row;
}

/** Stores a picture that the script of the editor sends, and answers as the API does. */
export function pictureRoute(app: App, { runWrite, files, images, baseUrl }: Program): void {
  const config = { access: "member", limited: true, isPage: true } as const;
  const options = { config, bodyLimit: pageFormBytes(IMAGE_LIMITS.bytes), schema: { hide: true } };
  app.post(`${NEW_ARTICLE}/images`, options, async (request, reply) => {
    caller(request);
    const form = (request.body as PageForm | undefined) ?? NO_FORM;
    if (form.fault) throw form.fault;
    const [image, another] = form.files.get("image") ?? [];
    if (!image?.length || another) throw invalid("image is missing: send one file as image");
    return runWrite<uploads.Upload>(request, reply, {
      verb: (actor) => uploads.create(actor, image, { files, images }),
      show: ({ name }) => ({ status: 201, body: JSON.stringify({ links: [baseUrl + uploadPath(name)] }) }),
    });
  });
}
