import { sentAlong } from "./account/signing-in.tsx";
import * as editing from "../community/articles/editing.ts";
import { changedIn, editPath, Hidden, labelOf, valuesOf } from "./editor-form.tsx";
import type { OwnPage } from "./forms.tsx";
import { FormToken, type Typed } from "./kit/forms.tsx";

/** Both texts of an article that was changed elsewhere while its form was written. */
export function conflictPage(row: editing.Editable, typed: Typed): OwnPage {
  // A form that was sent again after a sign-in has the password with it.
  const { act = "save", ...mine } = sentAlong(typed.values);
  const theirs = valuesOf(row);
  const names = changedIn(mine, theirs);
  const runs = compared(asText(theirs, names), asText({ ...theirs, ...mine }, names));
  return {
    title: "Changed meanwhile",
    status: 412,
    bundle: "editor",
    body: (
      <div class="editor">
        <h1 class="page-title">This article was changed meanwhile</h1>
        <p class="lead">It was saved elsewhere after you began. What you wrote isn’t saved yet.</p>
        <form method="post" action={editPath(row)} class="editor-buttons">
          <FormToken typed={typed} />
          <Hidden values={{ ...mine, article: String(row.id), version: editing.versionOf(row) }} />
          <button class="button strong" name="act" value={act}>
            Overwrite theirs with mine
          </button>
          <button class="button" name="act" value="theirs">
            Go on with theirs
          </button>
        </form>
        <div class="compared" dir="auto">
          <h2>Theirs</h2>
          <h2>Mine</h2>
          {runs.flatMap(({ isSame, ...run }) =>
            [run.theirs, run.mine].map((lines) => {
              const text = lines.map((line) => `${line}\n`).join("");
              return <pre>{isSame || text === "" ? text : <mark>{text}</mark>}</pre>;
            }),
          )}
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

interface Run {
  theirs: string[];
  mine: string[];
  isSame: boolean;
}

/** Each pair of lines takes time and memory. Of texts with more, all lines between the same ends count as changed. */
const MAX_PAIRS = 1_000_000;

/** The lines of two texts in runs that are the same, or differ. */
function compared(theirText: string, myText: string): Run[] {
  const [left, right] = [theirText.split("\n"), myText.split("\n")];
  const runs: Run[] = [];
  const add = (isSame: boolean, theirs: string | undefined, mine: string | undefined) => {
    if (runs.at(-1)?.isSame !== isSame) runs.push({ theirs: [], mine: [], isSame });
    if (theirs !== undefined) runs.at(-1)?.theirs.push(theirs);
    if (mine !== undefined) runs.at(-1)?.mine.push(mine);
  };
  let [i, j, end] = [0, 0, 0];
  const isSame = () => i < left.length && j < right.length && left[i] === right[j];
  const takeSame = () => add(true, left[i++], right[j++]);
  while (isSame()) takeSame();
  while (end < Math.min(left.length, right.length) - i && left.at(-1 - end) === right.at(-1 - end)) end++;
  const [lefts, rights] = [left.length - end, right.length - end];
  const common = commonLengths(left.slice(i, lefts), right.slice(j, rights), i);
  while (i < lefts || j < rights) {
    if (i < lefts && j < rights && isSame() && common !== undefined) takeSame();
    else if (j === rights || (i < lefts && (common?.(i + 1, j) ?? 1) >= (common?.(i, j + 1) ?? 0)))
      add(false, left[i++], undefined);
    else add(false, undefined, right[j++]);
  }
  while (isSame()) takeSame();
  return runs;
}

/** The length of the longest common subsequence behind each pair of lines; undefined where it takes too long. */
function commonLengths(left: readonly string[], right: readonly string[], start: number) {
  if (left.length * right.length > MAX_PAIRS) return undefined;
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return (i: number, j: number) => at(i - start, j - start);
}
