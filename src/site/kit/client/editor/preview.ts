import { form, preview, say } from "./page.ts";

const PAUSE_MS = 400;

let timer: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | undefined;
let isOld = false;

/** Shows the article as the server renders it: beside the text while it is written, or by the button. */
export function showPreviews(): void {
  const isWide = matchMedia("(min-width: 1000px)");
  form.addEventListener("input", () => {
    clearTimeout(timer);
    if (isWide.matches) timer = setTimeout(show, PAUSE_MS);
  });
  form.querySelector("[name=act][value=preview]")?.addEventListener("click", (event) => {
    event.preventDefault();
    void show().then(() => preview.focus());
  });
  preview.tabIndex = -1;
  if (isWide.matches) void show();
}

/** One request at a time; the last text is shown. */
function show(): Promise<void> {
  isOld = running !== undefined;
  return (running ??= render());
}

async function render(): Promise<void> {
  do {
    isOld = false;
    try {
      preview.replaceChildren(await ask());
      say("preview", "");
    } catch (error) {
      const why = error instanceof TypeError ? "the site doesn't answer" : (error as Error).message;
      say("preview", `No preview: ${why}`);
    }
  } while (isOld);
  running = undefined;
}

async function ask(): Promise<Element> {
  // A preview writes nothing: the token is for the form, and the cover stays here.
  const given = [...new FormData(form)].filter(
    ([name, value]) => name !== "form_token" && typeof value === "string",
  );
  const sent = new URLSearchParams([...(given as [string, string][]), ["act", "preview"]]);
  const headers = { accept: "text/html; fragment=1" };
  const answer = await fetch(form.getAttribute("action") ?? "", { method: "POST", body: sent, headers });
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  const article = parsed.querySelector(".preview");
  const fault = parsed.querySelector(".error-summary ul")?.textContent;
  if (article === null) throw new Error(fault ?? `the site answers ${answer.status}`);
  return article;
}
