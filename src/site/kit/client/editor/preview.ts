import { body, form, preview, say } from "./page.ts";

const PAUSE_MS = 400;

const isWide = matchMedia("(min-width: 1000px)");
let timer: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | undefined;
let isOld = false;

/** Shows the article as the server renders it: beside the text while it is written, or by the button. */
export function showPreviews(): void {
  form.addEventListener("input", () => {
    clearTimeout(timer);
    if (isWide.matches) timer = setTimeout(show, PAUSE_MS);
  });
  form.querySelector("[name=act][value=preview]")?.addEventListener("click", (event) => {
    event.preventDefault();
    void show().then(() => preview.focus());
  });
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
    // Keys scroll it beside the text.
    preview.tabIndex = isWide.matches ? 0 : -1;
    try {
      preview.replaceChildren(await ask());
      say("preview", "");
    } catch (error) {
      say("preview", `No preview: ${(error as Error).message}`);
    }
  } while (isOld);
  running = undefined;
}

/** The article as the server renders it, or a picture alone, as its cover. `fetch` would not tell how much is sent. */
export function ask(picture?: File, onProgress?: (part: number) => void): Promise<Element> {
  const data = new FormData(form);
  // A preview writes nothing: the token is for the form, and the cover stays here.
  for (const name of ["form_token", "cover", picture ? body.name : ""]) data.delete(name);
  if (picture) data.set("cover", picture);
  data.set("act", "preview");
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", ({ loaded, total }) => onProgress?.(loaded / total));
  request.open("POST", form.getAttribute("action") ?? "");
  request.responseType = "document";
  request.setRequestHeader("accept", "text/html; fragment=1");
  request.send(data);
  return new Promise((resolve, reject) => {
    request.addEventListener("loadend", () => {
      const { status, responseXML: page } = request;
      const article = page?.querySelector(".preview");
      const sentence = page?.querySelector(".error-summary ul, .lead, .notice")?.textContent;
      if (article) resolve(article);
      else if (status === 401) reject(new Error("you are signed out: save to sign in"));
      else reject(new Error(sentence ?? "the site doesn't answer"));
    });
  });
}
