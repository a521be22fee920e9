import { body, say } from "./page.ts";
import { ask } from "./preview.ts";
import { replacePart, replaceWords } from "./text.ts";

let waiting = 0;

export const isUploading = () => waiting > 0;

export function takePictures(button: Element | null): void {
  const attributes = { type: "file", accept: "image/*", multiple: true };
  const chooser = Object.assign(document.createElement("input"), attributes);
  button?.addEventListener("click", () => chooser.click());
  chooser.addEventListener("click", () => (chooser.value = ""));
  chooser.addEventListener("change", () => void take(chooser.files ?? []));
  for (const kind of ["dragover", "drop", "paste"] as const) body.addEventListener(kind, takeFrom);
}

/** A table from a spreadsheet is a picture and text. */
function takeFrom(event: DragEvent | ClipboardEvent): void {
  const data = event instanceof DragEvent ? event.dataTransfer : event.clipboardData;
  if (!data?.types.includes("Files") || data.types.includes("text/plain")) return;
  event.preventDefault();
  void take(data.files);
}

async function take(files: Iterable<File>): Promise<void> {
  waiting += 1;
  // The list is empty after the event.
  for (const file of Array.from(files)) await upload(file);
  waiting -= 1;
}

/** A placeholder that the author deletes stays deleted. */
async function upload(file: File): Promise<void> {
  let name = file.name.replaceAll(/[[\]\\]/g, "");
  while (body.value.includes(`![Uploading ${name}…`)) name += " 2";
  let shown = `![Uploading ${name}…]()`;
  const show = (text: string) => {
    if (replaceWords(shown, text)) shown = text;
  };
  replacePart(body.selectionEnd, body.selectionEnd, shown);
  say("picture", "");
  // In steps, since Undo takes each back.
  const progress = (part: number) => show(`![Uploading ${name}… ${Math.floor(part * 5) * 20}%]()`);
  const text = await ask(file, progress).then(
    (article) => `![${name}](${article.querySelector("img.cover")?.getAttribute("src") ?? ""})`,
    (error: Error) => {
      say("picture", `${name} is not uploaded: ${error.message}`);
      return "";
    },
  );
  show(text);
  if (shown !== text)
    body.addEventListener("compositionend", () => setTimeout(() => show(text)), { once: true });
}
