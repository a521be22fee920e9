import { body } from "./page.ts";

/** Replaces a part of the text in such a way that Undo takes it back. */
export function replacePart(from: number, to: number, text: string): void {
  body.focus({ preventScroll: true });
  body.setSelectionRange(from, to);
  if (document.execCommand(text === "" ? "delete" : "insertText", false, text)) return;
  body.setRangeText(text, from, to, "end");
  body.dispatchEvent(new Event("input", { bubbles: true }));
}

let isComposing = false;
document.addEventListener("compositionstart", () => (isComposing = true));
document.addEventListener("compositionend", () => (isComposing = false));

/** Replaces words wherever they stand; the cursor and the focus stay. False if they are gone, and amid composed input. */
export function replaceWords(words: string, text: string): boolean {
  const from = body.value.indexOf(words);
  if (from < 0 || isComposing || words === text) return false;
  const focused = document.activeElement as HTMLElement | null;
  const moved = (place: number) =>
    place <= from ? place : Math.max(from, place - words.length) + text.length;
  const [start, end] = [moved(body.selectionStart), moved(body.selectionEnd)];
  replacePart(from, from + words.length, text);
  body.setSelectionRange(start, end);
  focused?.focus({ preventScroll: true });
  return true;
}

const ITEM = /^([\s>]*)(?:([-*+])|(\d{1,9})([.)]))( +)(\[[ xX]\] +)?/;

/** Enter begins the next item of a list, and ends the list in an empty one. */
export function continueList(event: KeyboardEvent): void {
  const { selectionStart: at, selectionEnd, value } = body;
  if (event.key !== "Enter" || event.isComposing || event.shiftKey || at !== selectionEnd) return;
  const start = value.slice(0, at).lastIndexOf("\n") + 1;
  const item = ITEM.exec(value.slice(start, at));
  if (item === null) return;
  event.preventDefault();
  const [marker, indent = "", bullet, number, end = "", space = "", task] = item;
  const [rest = ""] = value.slice(start + marker.length).split("\n", 1);
  const next = bullet ?? Number(number) + 1 + end;
  if (rest.trim() === "") replacePart(start, at, "");
  else replacePart(at, at, `\n${indent}${next}${space}${task === undefined ? "" : "[ ] "}`);
}
