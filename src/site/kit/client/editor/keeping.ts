import { countWords, readingMinutes } from "../../../../content/text/reading-time.ts";
import { type Copy, copiesAt, markSent, PREFIX } from "../copies.ts";
import { body, clock, form, say } from "./page.ts";
import { replacePart } from "./text.ts";

const PAUSE_MS = 3_000;
const KEPT = "input:not([type=hidden], [type=file], [type=checkbox]), select, textarea";
const QUESTION = `<div class="done" id="copy" role="alert"><p></p>
  <button type="button" class="button">Restore</button> <button type="button" class="button">Discard</button></div>`;

const { member, article, saved } = form.dataset;
const place = `${PREFIX}${member} ${article} `;
/** A new article has none. */
const version = form.querySelector<HTMLInputElement>("[name=version]") ?? document.createElement("input");
const fields = [...form.querySelectorAll<HTMLInputElement>(KEPT)].filter(({ name }) => name !== "");
const valueIn = (copy: Copy, { name, value }: HTMLInputElement) => copy.fields[name] ?? value;
const differs = (copy: Copy) => fields.some((field) => valueIn(copy, field) !== field.value);

/** A page that shows the text of a copy, which was refused, goes on with that. */
const [own] = copiesAt(place).findLast(([, copy]) => !differs(copy)) ?? [
  `${place}${Date.now()} ${Math.random()}`,
];
let timer: ReturnType<typeof setTimeout> | undefined;
/** Changes too often to be read aloud. */
const line = document.createElement("p");

function count(kept = ""): void {
  const [words, minutes] = [countWords(body.value), readingMinutes(body.value)];
  line.textContent = `${words} ${words === 1 ? "word" : "words"}, ${minutes} min read${kept}`;
}

/** Keeps the text in the browser until the server has it. */
export function keep(isSent = false): void {
  clearTimeout(timer);
  timer = undefined;
  const time = Date.now();
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  try {
    localStorage.setItem(own, JSON.stringify({ time, version: version.value, fields: values }));
    if (isSent) markSent(own, time);
    count(` · Kept in this browser at ${clock(time)}`);
  } catch {
    count();
    say("copy", "This browser has no room for a copy");
  }
}

/** Asks about one copy that is left after another, the last one first. */
function offer(): void {
  const [name, copy] = copiesAt(place).findLast(([name, copy]) => name !== own && differs(copy)) ?? [];
  if (name === undefined || copy === undefined) return;
  form.insertAdjacentHTML("beforebegin", QUESTION);
  const box = form.previousElementSibling;
  box?.firstElementChild?.append(
    `This browser kept a text at ${clock(copy.time)} that is not saved. `,
    saved ? `The one here was saved at ${clock(saved)}.` : "",
  );
  box?.addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    box.remove();
    localStorage.removeItem(name);
    if (target.textContent === "Restore") restore(copy);
    body.focus();
    offer();
  });
}

/** With the version that it began from, by which the server sees a conflict. */
function restore(copy: Copy): void {
  for (const field of fields) if (field.id !== body.id) field.value = valueIn(copy, field);
  version.value = copy.version;
  replacePart(0, body.value.length, copy.fields[body.name] ?? body.value);
  keep();
}

export function keepCopies(): void {
  form.addEventListener("input", () => (timer ??= setTimeout(keep, PAUSE_MS)));
  document.addEventListener("visibilitychange", () => document.hidden && timer !== undefined && keep());
  if (saved) say("copy", `Saved at ${clock(saved)}`);
  form.after(line);
  count();
  offer();
}
