import { Type } from "typebox";
import * as comments from "../community/comments/comments.ts";
import { idOf } from "../community/comments/id-codes.ts";
import * as reading from "../community/comments/reading.ts";
import { AppError, invalid } from "../platform/errors.ts";
import { idIn } from "../platform/fields/fields.ts";
import { commentPath, profilePath, ownPath } from "../platform/paths.ts";
import { narrowPage } from "./account/parts.tsx";
import { type Forms, type MemberVisit, type OwnPage, runForm } from "./forms.tsx";
import { Form, type FormFields, type Typed } from "./kit/forms.tsx";

const NEW = "/comments/new";

const field = (label: string) =>
  ({
    body_markdown: {
      label,
      kind: "textarea",
      maxLength: 25_000,
      required: true,
      hint: "Markdown works as in articles.",
    },
  }) as const satisfies FormFields;

interface CommentFormProps {
  target: reading.Target;
  /** The comment that it answers, with its author. */
  parent?: { code: string; name: string } | undefined;
  /** The page of the article or episode. */
  back: string;
  typed: Typed;
}

export function CommentForm({ target, parent, back, typed }: CommentFormProps) {
  const [kind, id] = "article_id" in target ? ["article", target.article_id] : ["episode", target.episode_id];
  return (
    <Form
      action={NEW}
      typed={typed}
      fields={field(parent ? `Reply to ${parent.name}` : "Your comment")}
      hidden={{ [kind]: String(id), parent: parent?.code, back }}
      submit={parent ? "Reply" : "Comment"}
      draft={[kind, id, parent?.code].join(" ")}
    />
  );
}

export function commentingRoutes(forms: Forms): void {
  newRoute(forms);
  editRoute(forms);
  deleteRoute(forms);
}

function newRoute(forms: Forms): void {
  forms.member(NEW, {
    fields: field("Your comment"),
    asksToSignIn: true,
    show: async (_, typed) => newPage(typed),
    submit(visit, { values }) {
      const back = ownPath(values["back"]);
      const parentId = values["parent"] === undefined ? undefined : (idOf(values["parent"]) ?? 0);
      const markdown = values["body_markdown"] ?? "";
      return runForm<{ id: number }>(
        visit,
        (actor) => comments.create(actor, { target: targetIn(values), parentId, markdown }).catch(asFault),
        { to: `${back}#comments`, end: async ({ id }) => ({ to: await addressOf(visit, id, back) }) },
      );
    },
  });
}

const Code = Type.Object({ code: Type.String() });

function editRoute(forms: Forms): void {
  forms.member("/comments/:code/edit", {
    fields: field("Your comment"),
    params: Code,
    async show(visit, typed) {
      const { body_markdown } = await own(visit);
      const { code } = visit.params;
      return narrowPage({
        title: "Edit your comment",
        typed,
        body: (
          <Form
            action={`${commentPath(code)}/edit`}
            typed={{ ...typed, values: { body_markdown, ...typed.values } }}
            fields={field("Your comment")}
            submit="Save"
            draft={`edit ${code}`}
          />
        ),
      });
    },
    async submit(visit, { values }) {
      const { id } = await own(visit);
      const markdown = values["body_markdown"] ?? "";
      const to = await addressOf(visit, id, profilePath(visit.viewer.username));
      return runForm<{ id: number }>(
        visit,
        (actor) => comments.edit(actor, { id, markdown }).catch(asFault),
        { to },
      );
    },
  });
}

function deleteRoute(forms: Forms): void {
  forms.member("/comments/:code/delete", {
    fields: {},
    params: Code,
    async show(visit, typed) {
      await own(visit);
      return narrowPage({
        title: "Delete your comment?",
        typed,
        body: (
          <>
            <p>Its text is removed. Replies to it stay.</p>
            <Form action={`${commentPath(visit.params.code)}/delete`} typed={typed} submit="Delete" />
          </>
        ),
      });
    },
    async submit(visit) {
      const { id } = await own(visit);
      const to = await addressOf(visit, id, profilePath(visit.viewer.username));
      return runForm<boolean>(visit, (actor) => comments.remove(actor, id), { to });
    },
  });
}

type CommentVisit = MemberVisit<object, { code: string }>;

const own = ({ services, params, session }: CommentVisit) =>
  comments.findOwn(services.db.main, params.code, session.id);

const addressOf = async ({ services }: MemberVisit, id: number, otherwise: string) =>
  (await reading.addressOf(services.db.main, id)) ?? otherwise;

/** The page of a comment that was refused, with its text. */
function newPage(typed: Typed): OwnPage | { to: string } {
  const { values } = typed;
  const [target, back] = [targetIn(values), ownPath(values["back"])];
  if (typed.faults.length === 0) return { to: back };
  const parent = values["parent"] === undefined ? undefined : { code: values["parent"], name: "the comment" };
  return narrowPage({
    title: parent ? "Reply" : "Comment",
    typed,
    body: (
      <>
        <CommentForm target={target} parent={parent} back={back} typed={typed} />
        <p class="spaced">
          <a href={back}>Back without it</a>
        </p>
      </>
    ),
  });
}

function targetIn({ article, episode = "" }: Typed["values"]): reading.Target {
  return article === undefined ? { episode_id: idIn(episode) ?? 0 } : { article_id: idIn(article) ?? 0 };
}

/** The page of a refusal has the text, which that of an unknown address would not. */
function asFault(error: unknown): never {
  const isGone = error instanceof AppError && error.code === "not_found";
  throw isGone ? invalid("What this is about is unpublished or gone: copy the text if you need it") : error;
}
