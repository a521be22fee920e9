import * as editing from "../community/articles/editing.ts";
import { changedIn, editPath, Hidden, labelOf, valuesOf } from "./editor-form.tsx";
import type { OwnPage } from "./forms.tsx";
import type { Typed } from "./kit/forms.tsx";

/** Both texts of an article that was changed elsewhere while its form was written. */
export function conflictPage(row: editing.Editable, typed: Typed): OwnPage {
  const theirs = valuesOf(row);
  const names = changedIn(typed.values, theirs);
  // A form that was sent again after a sign-in has more with it.
  const mine = Object.fromEntries(names.map((name) => [name, typed.values[name] ?? ""]));
  const hidden = { ...mine, article: String(row.id), version: editing.versionOf(row) };
  const [left, right] = [asText(theirs, names), asText({ ...theirs, ...mine }, names)];
  return {
    title: "Changed meanwhile",
    status: 412,
    bundle: "editor",
    body: (
      <div class="editor">
        <h1 class="page-title">This article was changed meanwhile</h1>
        <p class="lead">It was saved elsewhere after you began. What you wrote isn’t saved yet.</p>
        <form method="post" action={editPath(row)} class="editor-buttons">
          <Hidden values={hidden} />
          <button class="button strong" name="act" value={typed.values["act"] ?? "save"}>
            Overwrite theirs with mine
          </button>
          <button class="button" name="act" value="theirs">
            Go on with theirs
          </button>
        </form>
        <div class="compared">
          <Compared title="Theirs" text={left} other={right} />
          <Compared title="Mine" text={right} other={left} />
        </div>
      </div>
    ),
  };
}

/** The attributes of these names, then the text. */
export function asText(values: Typed["values"], names: readonly string[]): string {
  const attributes = names.filter((name) => name !== "body_markdown");
  const head = attributes.map((name) => `${labelOf(name)}: ${values[name] ?? ""}\n`).join("");
  return `${head}${head && "\n"}${(values["body_markdown"] ?? "").replaceAll(/\r\n?/g, "\n")}`;
}

/** Marks the lines that the other text doesn't have. */
function Compared({ title, text, other }: { title: string; text: string; other: string }) {
  const known = new Set(other.split("\n"));
  const lines = text.split("\n").map((line) => (known.has(line) ? `${line}\n` : <mark>{`${line}\n`}</mark>));
  return (
    <section>
      <h2>{title}</h2>
      <pre dir="auto">{lines}</pre>
    </section>
  );
}
