/** The parts of the page. That of a conflict has none of them. */
export const form = document.querySelector<HTMLFormElement>("form#editor") ?? document.createElement("form");
export const body = document.querySelector("textarea#body_markdown") as HTMLTextAreaElement;
export const preview = document.querySelector("#preview") as HTMLElement;

const sentences: Record<string, string> = {};

/** Says a sentence about a subject aloud, in place of the one before; "" takes it back. */
export function say(subject: "picture" | "preview" | "copy", sentence: string): void {
  sentences[subject] = sentence;
  const said = Object.values(sentences).filter(Boolean).join(" · ");
  (document.querySelector("#editor-status") as HTMLElement).textContent = said;
}

/** "14:02", with its day unless it is today. */
export function clock(at: number | string): string {
  const time = new Date(at);
  const day = time.toDateString() === new Date().toDateString() ? {} : ({ dateStyle: "medium" } as const);
  return time.toLocaleString("en-GB", { ...day, timeStyle: "short" });
}
