import * as articles from "../community/articles/articles.ts";
import * as editing from "../community/articles/editing.ts";
import { preview } from "../community/articles/rendering.ts";
import * as uploads from "../community/uploads/uploads.ts";
import { inNewTab } from "../content/text/page-html.ts";
import type { Author } from "../http/actor.ts";
import { sessionOf } from "../http/auth.ts";
import type { PageForm } from "../http/form-body.ts";
import { requestSignal } from "../http/run-write.ts";
import { AppError, FieldsError, invalid } from "../platform/errors.ts";
import { articlePath, DASHBOARD, uploadPath } from "../platform/paths.ts";
import { asText, conflictPage } from "./conflict.tsx";
import { attributesIn, changedIn, editorPage, editPath, valuesOf } from "./editor-form.tsx";
import { type Done, isOfScript, type MemberVisit, newlyTyped, type OwnPage, runForm } from "./forms.tsx";
import type { Typed } from "./kit/forms.tsx";
import { Prose, sanitized } from "./kit/html.tsx";

type Row = editing.Editable | undefined;
type Values = Record<string, string>;

/** A form that is shown once more without a fault. */
const again = ({ site }: MemberVisit, values: Values): Typed => ({ ...newlyTyped(site), values });

export async function submitEditor(visit: MemberVisit, row: Row, { values, files }: PageForm) {
  if (values["act"] === "theirs" && row) return withTheirs(visit, row, values);
  await keepCover(visit, values, files.get("cover"));
  return values["act"] === "preview" ? previewPage(visit, row, values) : save(visit, row, values);
}

/** Stores a new cover, and puts its address among the values, so that it is there when the form is shown again. */
async function keepCover(
  { services, request, reply, site }: MemberVisit,
  values: Values,
  images: Buffer[] = [],
) {
  if (values["remove_cover"] === "1") values["main_image"] = "";
  delete values["remove_cover"];
  const [image, another] = images;
  if (another !== undefined) throw invalid("Cover was sent twice: send one image");
  // A browser sends an empty file when none is chosen.
  if (image === undefined || image.length === 0) return;
  await services.runWrite<uploads.Upload>(request, reply, {
    verb: (actor) =>
      uploads.create(actor, image, services).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== "invalid") throw error;
        throw new FieldsError({ cover: [`can’t be used. ${error.message}`] }, error.message);
      }),
    show: () => ({ status: 204, body: "" }),
    before: ({ name }) => void (values["main_image"] = site.baseUrl + uploadPath(name)),
  });
}

async function previewPage(visit: MemberVisit, row: Row, values: Values): Promise<OwnPage> {
  const { services, session, reply, request } = visit;
  const renderer = services.renderPool.for({ key: session.id, signal: requestSignal(reply) });
  const markdown = values["body_markdown"] ?? "";
  const { title, html, warnings } = await preview(services.db.main, renderer, markdown).catch(beside);
  const cover = values["main_image"];
  const shown = (
    <section class="preview" aria-label="Preview">
      <Warnings list={warnings} />
      {cover && <img class="cover" src={cover} alt="" width="1000" height="420" />}
      <h1 dir="auto">{title || values["title"]}</h1>
      <Prose html={sanitized(inNewTab(html))} isFitted />
    </section>
  );
  if (isOfScript(request)) return { title: "Preview", body: shown };
  return editorPage(visit, { row, typed: again(visit, values), above: shown });
}

async function withTheirs(visit: MemberVisit, row: editing.Editable, values: Values): Promise<OwnPage> {
  const theirs = valuesOf(row);
  const mine = asText(values, changedIn(values, theirs));
  const box = (
    <div class="field">
      <label for="mine">Your text, to copy from</label>
      <textarea id="mine" readOnly rows={12}>{`\n${mine}`}</textarea>
    </div>
  );
  return editorPage(visit, { row, typed: again(visit, theirs), above: box });
}

async function save(visit: MemberVisit, row: Row, values: Values): Promise<OwnPage | Done | undefined> {
  const { act, version } = values;
  const given = attributesIn(values, row);
  const isUnpublished = act === "unpublish" && Object.keys(given).length === 0;
  if (act === "publish" || act === "unpublish") given["published"] = act === "publish";
  const isStaying = act === "draft" || (act === "save" && isOfScript(visit.request));
  const after = (saved: Parameters<typeof articlePath>[0]) =>
    isStaying ? `${editPath(saved)}?done=saved` : articlePath(saved);
  if (row && Object.keys(given).length === 0) return { to: after(row) };
  const ifMatch = (now: Parameters<typeof editing.versionOf>[0]) => {
    if (version !== undefined && version !== editing.versionOf(now))
      throw new AppError("precondition_failed", "The article was changed meanwhile");
  };
  const to = row ? after(row) : `${DASHBOARD}?state=${act === "publish" ? "published" : "drafts"}`;
  const write = (actor: Author<articles.Saved>) =>
    row ? articles.update(actor, { id: row.id, given, ifMatch }) : articles.create(actor, { given });
  const isMember = () => sessionOf(visit.request) !== undefined;
  const verb = (actor: Author<articles.Saved>) =>
    write(actor).catch((error: unknown) => beside(error, isMember()));
  try {
    if (row && isUnpublished)
      return await runForm<boolean>(visit, (actor) => articles.unpublish(actor, { id: row.id, ifMatch }), {
        to,
      });
    const end = async ({ row: saved, warnings }: articles.Saved) => {
      const now = warnings.length === 0 ? undefined : await read(visit, saved.id);
      return now ? warned(visit, now, { warnings, values }) : { to: after(saved) };
    };
    return await runForm<articles.Saved>(visit, verb, { to, end });
  } catch (error) {
    const isConflict = error instanceof AppError && error.code === "precondition_failed";
    const now = row && isConflict ? await read(visit, row.id) : undefined;
    if (now === undefined) throw error;
    return conflictPage(now, again(visit, values));
  }
}

const read = ({ services, session }: MemberVisit, id: number) =>
  editing.find(services.db.main, session, { id });

interface Warned {
  warnings: readonly string[];
  values: Values;
}

/** The editor again, with what the author should know; a date waits there until the article is published. */
function warned(visit: MemberVisit, row: editing.Editable, { warnings, values }: Warned): Promise<OwnPage> {
  const typed = again(visit, { ...valuesOf(row), published_at: values["published_at"] ?? "" });
  const above = (
    <>
      <Saved row={row} />
      <Warnings list={warnings} />
    </>
  );
  return editorPage(visit, { row, typed, above });
}

export function Saved({ row }: { row: editing.Editable }) {
  return (
    <p class="done" role="status">
      Saved. <a href={articlePath(row)}>See the article</a>
    </p>
  );
}

function Warnings({ list }: { list: readonly string[] }) {
  if (list.length === 0) return null;
  return (
    <ul class="notice">
      {list.map((warning) => (
        <li>{warning}</li>
      ))}
    </ul>
  );
}

const FIELD_OF: Record<string, string> = { tag: "tag_list", tags: "tag_list", cover_image: "cover" };
const SENTENCE =
  /^(?:(Title|Body markdown|Canonical url|Published at) |(?=There was a problem parsing))(.*)/s;

/** Puts a refusal of the verbs beside the field that it is about. */
function beside(error: unknown, isMember = true): never {
  if (!(error instanceof AppError)) throw error;
  if (error.code === "unauthorized" && isMember)
    throw invalid("In this community only admins publish: save your text as a draft");
  const fields: Record<string, string[]> = {};
  if (error instanceof FieldsError)
    for (const [name, words] of Object.entries(error.fields))
      (fields[FIELD_OF[name] ?? name] ??= []).push(...words);
  const found = error.code === "invalid" ? SENTENCE.exec(error.message) : null;
  if (error instanceof FieldsError || found === null)
    throw error instanceof FieldsError ? new FieldsError(fields, error.message) : error;
  const [, start = "Body markdown", words = ""] = found;
  throw new FieldsError({ [start.toLowerCase().replace(" ", "_")]: [words] }, error.message);
}
