import { body, say } from "./page.ts";
import { replacePart, replaceWords } from "./text.ts";

/** Undo takes each step back. */
const STEP_PERCENT = 20;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Whether a picture is on its way. */
export const isUploading = () => waiting > 0;

const placeholder = (name: string, percent: number) => `![Uploading ${name}… ${percent}%]()`;

/** Takes pictures by the button, from the clipboard and dropped. */
export function takePictures(button: Element | null): void {
  const attributes = { type: "file", accept: "image/*", multiple: true };
  const chooser = Object.assign(document.createElement("input"), attributes);
  button?.addEventListener("click", () => chooser.click());
  chooser.addEventListener("click", () => (chooser.value = ""));
  chooser.addEventListener("change", () => take(chooser.files ?? []));
  body.addEventListener("dragover", (event) => takeFrom(event, event.dataTransfer));
  body.addEventListener("drop", (event) => takeFrom(event, event.dataTransfer));
  body.addEventListener("paste", (event) => takeFrom(event, event.clipboardData));
}

/** A table from a spreadsheet is a picture and text. */
function takeFrom(event: Event, data: DataTransfer | null): void {
  if (!data?.types.includes("Files") || data.types.includes("text/plain")) return;
  event.preventDefault();
  take(data.files);
}

function take(files: Iterable<File>): void {
  for (const file of files) {
    let name = file.name.replaceAll(/[[\]\\]/g, "");
    while (body.value.includes(`![Uploading ${name}…`)) name += " 2";
    replacePart(body.selectionStart, body.selectionEnd, placeholder(name, 0));
    waiting += 1;
    last = last.then(() => upload(file, name)).finally(() => (waiting -= 1));
  }
}

/** A placeholder that the author deletes stays deleted. */
async function upload(file: File, name: string): Promise<void> {
  let percent = 0;
  say("picture", "");
  const progress = (now: number) => {
    if (now < percent + STEP_PERCENT) return;
    if (replaceWords(placeholder(name, percent), placeholder(name, now))) percent = now;
  };
  const picture = await send(file, progress).catch((error: Error) => {
    say("picture", `${name} is not uploaded: ${error.message}`);
    return undefined;
  });
  const text = picture === undefined ? "" : `![${name}](${picture})`;
  const end = () => replaceWords(placeholder(name, percent), text);
  if (!end()) document.addEventListener("compositionend", () => setTimeout(end), { once: true });
}

/** `fetch` tells no progress. Returns the address of the picture. */
function send(file: File, progress: (percent: number) => void): Promise<string> {
  const request = new XMLHttpRequest();
  const data = new FormData();
  data.set("image", file);
  request.upload.addEventListener("progress", (event) =>
    progress(Math.floor((100 * event.loaded) / event.total)),
  );
  request.open("POST", "/new/images");
  request.responseType = "json";
  request.setRequestHeader("accept", "application/json");
  request.send(data);
  return new Promise((resolve, reject) => {
    request.addEventListener("loadend", () => {
      const { links, error } = (request.response ?? {}) as { links?: string[]; error?: string };
      if (links?.[0] !== undefined) resolve(links[0]);
      else
        reject(
          new Error(error ?? `the site ${request.status ? `answers ${request.status}` : "doesn't answer"}`),
        );
    });
  });
}
