import { countWords, readingMinutes } from "../../../../content/text/reading-time.ts";
import { type Copy, copiesAt, keepCopy, markSent, placeOf } from "../copies.ts";
import { body, clock, form, say } from "./page.ts";
import { replacePart } from "./text.ts";

const PAUSE_MS = 3_000;
const KEPT = "input:not([type=hidden], [type=file], [type=checkbox]), select, textarea";
const QUESTION = `<div id="copy" class="done" role="alert"><p></p>
  <button type="button" class="button">Restore</button> <button type="button" class="button">Discard</button></div>`;

const place = placeOf(form);
const { saved } = form.dataset;
/** A new article has none. */
const version = form.querySelector<HTMLInputElement>("[name=version]");
const fields = [...form.querySelectorAll<HTMLInputElement>(KEPT)].filter(({ name }) => name !== "");
const valueIn = (copy: Copy, { name, value }: HTMLInputElement) => copy.fields[name] ?? value;
const differs = (copy: Copy) => fields.some((field) => valueIn(copy, field) !== field.value);

/** A page that shows the text of a copy, which was refused, goes on with that. */
const id = copiesAt(place).findLast((copy) => !differs(copy))?.id ?? `${Date.now()} ${Math.random()}`;
let timer: ReturnType<typeof setTimeout> | undefined;

function saySize(): void {
  const [words, minutes] = [countWords(body.value), readingMinutes(body.value)];
  say("size", `${words} ${words === 1 ? "word" : "words"}, ${minutes} min read`);
}

/** Keeps the text in the browser until the server has it. */
export function keep(isSent = false): void {
  clearTimeout(timer);
  timer = undefined;
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const copy = { id, time: Date.now(), version: version?.value ?? "", fields: values };
  saySize();
  try {
    keepCopy(place, id, copy);
    if (isSent) markSent(place, copy);
    say("copy", `Kept in this browser at ${clock(copy.time)}`);
  } catch {
    say("copy", "This browser has no room for a copy");
  }
}

/** Asks about one copy that is left after another, the last one first. */
function offer(): void {
  const left = copiesAt(place).findLast((copy) => copy.id !== id && differs(copy));
  if (left === undefined) return;
  form.insertAdjacentHTML("beforebegin", QUESTION);
  const box = document.querySelector("#copy");
  box?.firstElementChild?.append(
    `This browser kept a text at ${clock(left.time)} that is not saved. `,
    saved ? `The one here was saved at ${clock(saved)}. ` : "",
    left.version === (version?.value ?? "")
      ? ""
      : "The article has changed meanwhile: saving shows both texts.",
  );
  box?.addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    box.remove();
    keepCopy(place, left.id);
    if (target.textContent === "Restore") restore(left);
    body.focus();
    offer();
  });
}

/** With the version that it began from, by which the server sees a conflict. */
function restore(copy: Copy): void {
  for (const field of fields) if (field.id !== body.id) field.value = valueIn(copy, field);
  if (version !== null) version.value = copy.version;
  replacePart(0, body.value.length, copy.fields[body.name] ?? body.value);
  keep();
}

const keepChange = () => timer !== undefined && keep();

export function keepCopies(): void {
  form.addEventListener("input", () => (timer ??= setTimeout(keep, PAUSE_MS)));
  document.addEventListener("visibilitychange", () => document.hidden && keepChange());
  addEventListener("pagehide", keepChange);
  if (saved) say("copy", `Saved at ${clock(saved)}`);
  saySize();
  offer();
}
