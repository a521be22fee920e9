/** The parts of the page. The text stays in its field, with the browser's Undo and input methods. */
export const form = document.querySelector("form#editor") as HTMLFormElement;
export const body = document.querySelector("textarea#body_markdown") as HTMLTextAreaElement;
export const preview = document.querySelector("#preview") as HTMLElement;

const region = document.querySelector("#editor-status") as HTMLElement;
const sentences: Record<string, string> = {};

/** Says a sentence about a subject in place of the one before; "" takes it back. */
export function say(subject: "picture" | "preview" | "copy" | "size", sentence: string): void {
  sentences[subject] = sentence;
  region.textContent = Object.values(sentences).filter(Boolean).join(" · ");
}

/** "14:02", with its day unless it is today. */
export function clock(at: number | string): string {
  const time = new Date(at);
  const day = time.toDateString() === new Date().toDateString() ? {} : ({ dateStyle: "medium" } as const);
  return time.toLocaleString("en-GB", { ...day, timeStyle: "short" });
}
