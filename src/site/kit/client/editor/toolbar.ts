import "@github/markdown-toolbar-element";
import { body, form } from "./page.ts";
import { continueList } from "./text.ts";

/** What the element calls it, its icon, its name, its key. The element ignores "picture". */
const BUTTONS = [
  ["bold", "bold", "Bold", "B"],
  ["italic", "italic", "Italic", "I"],
  ["link", "link", "Link", "K"],
  ["code", "code-xml", "Code"],
  ["quote", "quote", "Quote"],
  ["unordered-list", "list", "List"],
  ["header-2", "heading-2", "Heading"],
  ["picture", "image-plus", "Picture"],
] as const;

const IS_MAC = navigator.userAgent.includes("Mac OS X");

/** Puts the buttons above the text, and listens to its keys. Returns the button for pictures. */
export function toolbar(): Element | null {
  const bar = document.createElement("markdown-toolbar");
  bar.setAttribute("for", body.id);
  bar.ariaLabel = "Formatting";
  const [sprite] = document.querySelector("use")?.getAttribute("href")?.split("#") ?? [];
  bar.innerHTML = BUTTONS.map(([style, icon, name, key]) => {
    const title = key === undefined ? name : `${name} (${IS_MAC ? "⌘" : "Ctrl+"}${key})`;
    return `<button type="button" class="icon-button" tabindex="-1" data-md-button="${style}" aria-label="${name}"
      title="${title}"><svg class="icon" aria-hidden="true"><use href="${sprite}#${icon}"/></svg></button>`;
  }).join("");
  body.before(bar);
  body.addEventListener("keydown", continueList);
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.shiftKey || event.altKey) return;
    if (!(IS_MAC ? event.metaKey : event.ctrlKey)) return;
    const pressed = event.key.toUpperCase();
    const [style] = BUTTONS.find(([, , , key]) => key === pressed && event.target === body) ?? [];
    if (style === undefined && pressed !== "S") return;
    event.preventDefault();
    const button = style ? `[data-md-button=${style}]` : "[name=act]:is([value=draft], [value=save])";
    if (style === undefined) stay();
    form.querySelector<HTMLElement>(button)?.click();
  });
  return bar.lastElementChild;
}

const PLACE = "place in text";

/** The page that comes back has the cursor where it is. */
function stay(): void {
  sessionStorage.setItem(PLACE, JSON.stringify([body.selectionStart, body.scrollTop, scrollY]));
  form.insertAdjacentHTML("beforeend", '<input type="hidden" name="stay" value="1">');
}

export function goBack(): void {
  const place = sessionStorage.getItem(PLACE);
  sessionStorage.removeItem(PLACE);
  if (place === null) return;
  const [at = 0, top = 0, y = 0] = JSON.parse(place) as number[];
  body.focus();
  body.setSelectionRange(at, at);
  body.scrollTop = top;
  scrollTo(0, y);
}
