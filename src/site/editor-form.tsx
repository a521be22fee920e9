import type { ComponentChildren } from "preact";
import * as editing from "../community/articles/editing.ts";
import * as organizations from "../community/organizations/organizations.ts";
import type { Input } from "../platform/fields/fields.ts";
import { articlePath, NEW_ARTICLE } from "../platform/paths.ts";
import type { FormVisit, OwnPage } from "./forms.tsx";
import { ErrorSummary, Field, type FormField, type FormFields, FormToken, type Typed } from "./kit/forms.tsx";

const SHORT = { kind: "textarea", rows: 2, maxLength: 16_384 } as const;
const DATE_HINT = "In UTC, such as 2026-03-02 09:15, with Publish: the article appears then.";

export const FIELDS = {
  title: { label: "Title", maxLength: 128 },
  body_markdown: { label: "Text", kind: "textarea", rows: 24, maxLength: 819_200, hint: "In Markdown." },
  tag_list: { label: "Tags", maxLength: 400, hint: "At most 4, with commas between them." },
  description: { label: "Description", ...SHORT, hint: "Made from the text while it is empty." },
  cover: { label: "Cover", kind: "file", accept: "image/*", hint: "An image of at most 10 MiB." },
  remove_cover: { label: "Remove the cover", kind: "checkbox" },
  canonical_url: {
    label: "Canonical URL",
    maxLength: 2_000,
    hint: "The address of the original, if elsewhere.",
  },
  series: { label: "Series", maxLength: 200, hint: "Begins a new one if you have none of this name." },
  organization_id: { label: "Organization", kind: "select" },
  published_at: { label: "Date of publication", maxLength: 40, hint: DATE_HINT },
} as const satisfies FormFields;

const LABELS: Record<string, string> = {
  published: "Publication",
  tags: FIELDS.tag_list.label,
  main_image: FIELDS.cover.label,
  cover_image: FIELDS.cover.label,
  date: FIELDS.published_at.label,
  video: "Video",
};

/** The words for an attribute of the API or of front matter. */
export const labelOf = (name: string) => (FIELDS as FormFields)[name]?.label ?? LABELS[name] ?? name;

/** A sentence of the API in the words of the form. */
export const withLabels = (sentence: string) => sentence.replaceAll(/\b[a-z]+_[a-z_]+\b/g, labelOf);

type Values = Typed["values"];

/** The values of the form for an article. */
export function valuesOf(row: editing.Editable) {
  const date = row.state === "scheduled" ? (row.published_at?.toISOString() ?? "") : "";
  return {
    title: row.title,
    body_markdown: row.body_markdown,
    tag_list: row.tag_list.join(", "),
    description: editing.ownDescription(row),
    main_image: row.main_image ?? "",
    canonical_url: row.canonical_url ?? "",
    series: row.series ?? "",
    organization_id: String(row.organization_id ?? ""),
    published_at: date.replace(/^(.*)T(.*):00\.000Z$/, "$1 $2"),
  };
}
const NAMES = ["main_image", ...Object.keys(FIELDS)].filter((name) => !name.endsWith("cover"));

/** A browser sends line ends of its own, and none in a field of one line. */
function plain(name: string, text: string): string {
  const isText = name === "body_markdown" || name === "description";
  return isText ? text.replaceAll(/\r\n?/g, "\n") : text.replaceAll(/[\r\n]/g, "");
}

/** The names whose values differ. A field that was not sent stays as it is. */
export function changedIn(values: Values, stored: Values): string[] {
  return NAMES.filter((name) => {
    const sent = values[name];
    return sent !== undefined && plain(name, sent) !== plain(name, stored[name] ?? "");
  });
}

/** The attributes to write, as the API has them: what is as it was isn't written. */
export function attributesIn(values: Values, row: editing.Editable | undefined): Input {
  const changed = changedIn(values, row ? valuesOf(row) : {});
  const given = changed.map((name) => [name === "tag_list" ? "tags" : name, values[name]]);
  return { ...(!row && { body_markdown: "" }), ...Object.fromEntries(given) };
}

interface EditorProps {
  row?: editing.Editable | undefined;
  typed: Typed;
  /** Stands above the form. */
  above?: ComponentChildren;
}

export const editPath = (row: Parameters<typeof articlePath>[0]) => `${articlePath(row)}/edit`;

/** The form of a new article, or of one that its author or an admin edits. */
export async function editorPage(visit: FormVisit, { row, above, ...sent }: EditorProps): Promise<OwnPage> {
  const { viewer, services } = visit;
  const typed = { ...sent.typed, values: { ...(row && valuesOf(row)), ...sent.typed.values } };
  const joined = await organizations.listOf(services.db.main, viewer?.id ?? 0);
  const decided = editing.frontMatterOf(typed.values["body_markdown"] ?? "");
  const names = [...Object.keys(decided), ...(decided.title ? ["description", "series"] : [])];
  const governed = [...new Set(names.map(labelOf))].join(", ");
  const title = row ? "Edit article" : "Write";
  return {
    title,
    bundle: "editor",
    body: (
      <div class="editor">
        <ErrorSummary faults={typed.faults} />
        <h1 class="page-title">{title}</h1>
        {above}
        {governed && (
          <p class="notice">
            The front matter of this text decides these, whatever the fields say: {governed}.
          </p>
        )}
        <EditorForm row={row} typed={typed} member={viewer?.id ?? 0} groups={groupsOf(row, joined)} />
        <p id="editor-status" role="status" />
      </div>
    ),
  };
}

/** An article leaves an organization only for another one. */
function groupsOf(row: EditorProps["row"], joined: readonly { id: number; name: string }[]) {
  const { organization_id = null, organization } = row ?? {};
  const present = organization ? { [String(organization_id)]: organization.name } : { "": "None" };
  return { ...Object.fromEntries(joined.map(({ id, name }) => [String(id), name])), ...present };
}

interface FormProps extends Omit<EditorProps, "above"> {
  member: number;
  groups: Readonly<Record<string, string>>;
}

function EditorForm({ row, typed, member, groups }: FormProps) {
  const { values, faults } = typed;
  const field = (name: keyof typeof FIELDS) => {
    const { kind = "text", ...declared }: FormField = FIELDS[name];
    const options = kind === "select" ? { options: groups } : {};
    const fault = faults.find((each) => each.field === name)?.sentence;
    return (
      <Field name={name} kind={kind} {...declared} {...options} value={values[name] ?? ""} fault={fault} />
    );
  };
  const cover = values["main_image"] ?? "";
  const isMoreOpen = faults.some(({ field = "" }) => /^(canonical|series|organi|published)/.test(field));
  const back = row ? editPath(row) : NEW_ARTICLE;
  const version = values["version"] ?? (row && editing.versionOf(row));
  return (
    <form
      class="form"
      id="editor"
      method="post"
      action={back}
      enctype="multipart/form-data"
      noValidate
      data-member={member}
      data-article={row?.id ?? "new"}
      data-saved={row && (row.edited_at ?? row.created_at).toISOString()}
    >
      {row === undefined && <FormToken typed={typed} />}
      <Hidden values={{ version, article: row && String(row.id), back, main_image: cover }} />
      {field("title")}
      <div class="editor-text">
        {field("body_markdown")}
        <div id="preview" />
      </div>
      {field("tag_list")}
      {field("description")}
      {field("cover")}
      {cover !== "" && <img src={cover} alt="The cover" width="250" height="105" />}
      {cover !== "" && field("remove_cover")}
      <details open={isMoreOpen}>
        <summary>More</summary>
        {field("canonical_url")}
        {field("series")}
        {Object.keys(groups).join("") !== "" && field("organization_id")}
        {["draft", "scheduled", undefined].includes(row?.state) && field("published_at")}
      </details>
      <Buttons row={row} />
    </form>
  );
}

export function Hidden({ values }: { values: Readonly<Record<string, string | undefined>> }) {
  return Object.entries(values).map(
    ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />,
  );
}

const NEW_BUTTONS = { draft: "Save draft", preview: "Preview", publish: "Publish" };
const PUBLISHED_BUTTONS = { save: "Save", preview: "Preview", unpublish: "Unpublish" };

function Buttons({ row }: Pick<EditorProps, "row">) {
  const isOut = row?.state === "published" || row?.state === "scheduled";
  return (
    <p class="editor-buttons">
      {Object.entries(isOut ? PUBLISHED_BUTTONS : NEW_BUTTONS).map(([act, label]) => (
        <button class={/^(save|publish)$/.test(act) ? "button strong" : "button"} name="act" value={act}>
          {label}
        </button>
      ))}
      {row && <a href={`${articlePath(row)}/delete`}>Delete</a>}
    </p>
  );
}
