import { isClaimed } from "../community/articles/publication-status.ts";
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
  const isOut = isClaimed(row.state);
  const { act: asked = "save" } = typed.values;
  const act = isOut && asked === "draft" ? "save" : asked;
  const [left, right] = [theirs, { ...theirs, ...mine }].map((each) => asText(each, names).split("\n"));
  return {
    title: "Changed meanwhile",
    status: 412,
    bundle: "editor",
    body: (
      <div class="editor">
        <h1 class="page-title">This article was changed meanwhile</h1>
        <p class="lead">
          It was saved elsewhere after you began. What you wrote isn’t saved yet.
          {isOut && " The article is published: readers see what you save."}
        </p>
        <form method="post" action={editPath(row)} class="editor-buttons">
          <Hidden values={hidden} />
          <button class="button strong" name="act" value={act}>
            Overwrite theirs with mine
          </button>
          <button class="button" name="act" value="theirs">
            Go on with theirs
          </button>
        </form>
        <div class="compared">
          <Compared title="Theirs" lines={left} other={right} />
          <Compared title="Mine" lines={right} other={left} />
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

interface ComparedProps {
  title: string;
  lines?: string[] | undefined;
  other?: string[] | undefined;
}

/** Marks the lines that the other text doesn't have; if they only moved, those between the same ends. */
function Compared({ title, lines = [], other = [] }: ComparedProps) {
  const least = Math.min(lines.length, other.length);
  let [from, after] = [0, 0];
  while (from < least && lines[from] === other[from]) from++;
  while (after < least - from && lines.at(-1 - after) === other.at(-1 - after)) after++;
  const [known, own] = [new Set(other), new Set(lines)];
  const isMoved = known.size === own.size && lines.every((line) => known.has(line));
  const isChanged = (line: string, n: number) =>
    n >= from && n < lines.length - after && (isMoved || !known.has(line));
  return (
    <section>
      <h2>{title}</h2>
      <pre dir="auto">
        {lines.map((line, n) => (isChanged(line, n) ? <mark>{`${line}\n`}</mark> : `${line}\n`))}
      </pre>
    </section>
  );
}
