import * as articles from "../community/articles/articles.ts";
import * as editing from "../community/articles/editing.ts";
import { isClaimed } from "../community/articles/publication-status.ts";
import { preview } from "../community/articles/rendering.ts";
import * as uploads from "../community/uploads/uploads.ts";
import { inNewTab } from "../content/text/page-html.ts";
import type { Author } from "../http/actor.ts";
import type { PageForm } from "../http/form-body.ts";
import { requestSignal } from "../http/run-write.ts";
import { AppError, FieldsError, invalid } from "../platform/errors.ts";
import { articlePath, DASHBOARD, uploadPath } from "../platform/paths.ts";
import { asText, conflictPage } from "./conflict.tsx";
import { attributesIn, changedIn, editorPage, editPath, valuesOf, withLabels } from "./editor-form.tsx";
import { type Done, isOfScript, type MemberVisit, newlyTyped, type OwnPage, runForm } from "./forms.tsx";
import type { Typed } from "./kit/forms.tsx";
import { Prose, sanitized } from "./kit/html.tsx";

type Saved = articles.Saved;
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
      {(title || values["title"]) && (
        <h2 class="page-title" dir="auto">
          {title || values["title"]}
        </h2>
      )}
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
  const { act = "draft", version } = values;
  const given = attributesIn(values, row);
  checkAct(visit, act, values["body_markdown"] ?? row?.body_markdown ?? "");
  if (row?.state === "scheduled" && act === "save" && given["published_at"] === "")
    throw new FieldsError({ published_at: ["can’t be empty: press Unpublish to make it a draft"] }, "");
  if (act === "publish" || act === "unpublish") given["published"] = act === "publish";
  const after = (saved: Saved["row"]) =>
    act === "draft" || values["stay"] !== undefined || saved.author_id !== visit.viewer.id
      ? `${editPath(saved)}?done=saved`
      : articlePath(saved);
  if (row && Object.keys(given).length === 0) return { to: after(row) };
  const ifMatch = (now: Saved["row"]) => {
    if (version !== undefined && version !== editing.versionOf(now))
      throw new AppError("precondition_failed", "The article was changed meanwhile");
  };
  // Where the second answer leads to, if the form of a new article is sent twice.
  const to = `${DASHBOARD}?state=${act === "publish" ? "published" : "drafts"}`;
  const verb = (actor: Author<Saved>) =>
    (row ? articles.update(actor, { id: row.id, given, ifMatch }) : articles.create(actor, { given })).catch(
      beside,
    );
  const end = async ({ row: saved, warnings }: Saved) => {
    const now = warnings.length === 0 ? undefined : await read(visit, saved.id);
    return now ? warned(visit, now, { warnings, values }) : { to: after(saved) };
  };
  try {
    return await runForm<Saved>(visit, verb, { to, end });
  } catch (error) {
    const { code } = error as AppError;
    if (code === "not_found") return gonePage(visit, values);
    const now = row && code === "precondition_failed" ? await read(visit, row.id) : undefined;
    if (now === undefined) throw error;
    // The form was sent twice, or another one did the same.
    const isSame = changedIn(values, valuesOf(now)).length === 0;
    if (isSame && (given["published"] ?? isClaimed(now.state)) === isClaimed(now.state))
      return { to: after(now) };
    return conflictPage(now, again(visit, values));
  }
}

/** @throws AppError invalid for an act that the community or the text itself forbids */
function checkAct({ viewer, site }: MemberVisit, act: string, markdown: string): void {
  if (act === "publish" && !articles.mayPost(viewer, site.settings))
    throw invalid("In this community only admins publish: save your text as a draft");
  const { published } = editing.frontMatterOf(markdown);
  if ((act === "draft" && published) || (act === "publish" && published === false)) {
    const words = `says published: ${published} in its front matter: change that, or press the other button`;
    throw new FieldsError({ body_markdown: [words] }, words);
  }
}

/** The text of an article that was deleted meanwhile becomes that of a new one. */
export async function gonePage(visit: MemberVisit, values: Values): Promise<OwnPage> {
  const { article: _, version: __, back: ___, ...text } = values;
  const above = <p class="notice">There is no such article any more. You can save your text as a new one.</p>;
  return { ...(await editorPage(visit, { typed: again(visit, text), above })), status: 404 };
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
      <SavedNotice row={row} viewer={visit.viewer} />
      <Warnings list={warnings} />
    </>
  );
  return editorPage(visit, { row, typed, above });
}

export function SavedNotice({ row, viewer }: Pick<MemberVisit, "viewer"> & { row: editing.Editable }) {
  const isReadable = row.state === "published" || row.author_id === viewer.id;
  return (
    <p class="done" role="status">
      Saved. {isReadable && <a href={articlePath(row)}>See the article</a>}
    </p>
  );
}

function Warnings({ list }: { list: readonly string[] }) {
  if (list.length === 0) return null;
  return (
    <ul class="notice">
      {list.map((warning) => (
        <li>{withLabels(warning)}</li>
      ))}
    </ul>
  );
}

const FIELD_OF: Record<string, string> = { tag: "tag_list", tags: "tag_list", cover_image: "cover" };
const SENTENCE =
  /^(?:(Title|Body markdown|Canonical url|Published at) |(?=There was a problem parsing))(.*)/s;

/** Puts a refusal of the verbs beside the field that it is about. */
function beside(error: unknown): never {
  if (error instanceof FieldsError) {
    const fields = Object.entries(error.fields).map(([name, words]) => [
      FIELD_OF[name] ?? name,
      words.map(withLabels),
    ]);
    throw new FieldsError(Object.fromEntries(fields), error.message);
  }
  const isInvalid = error instanceof AppError && error.code === "invalid";
  const [, start = "Body markdown", words] = (isInvalid && SENTENCE.exec(error.message)) || [];
  if (words === undefined) throw error;
  throw new FieldsError({ [start.toLowerCase().replace(" ", "_")]: [words] }, (error as AppError).message);
}
