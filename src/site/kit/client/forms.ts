import { checkedFields } from "./checking.ts";
import { copyButtons } from "./code.ts";
import { passwordButtons } from "./passwords.ts";
import { saveButtons } from "./saving.ts";

const BUSY_MS = 300;

/** Forms that are being sent: a second click on a button is no second form. */
const sending = new WeakSet<HTMLFormElement>();

/**
 * Sends forms without leaving the page, and puts the answer in its place. Where anything fails, the browser sends the
 * form as it does without a script.
 */
export function enhanceForms(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches("form[data-enhance]")) return;
    event.preventDefault();
    if (sending.has(form)) return;
    sending.add(form);
    void send(form, event.submitter).catch(() => form.submit());
  });
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const timer = setTimeout(() => form.setAttribute("aria-busy", "true"), BUSY_MS);
  const data = new FormData(form, submitter);
  const body = form.enctype === "multipart/form-data" ? data : new URLSearchParams(data as never);
  const headers = { accept: "text/html; fragment=1" };
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers, credentials: "same-origin" });
    const to = answer.headers.get("location");
    if (to !== null) return location.assign(to);
    show(await answer.text());
  } finally {
    clearTimeout(timer);
    form.removeAttribute("aria-busy");
    sending.delete(form);
  }
}

/** The faults, to which the focus moves, or the page of what was made. */
function show(html: string): void {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const [now, next] = [document.querySelector("main"), parsed.querySelector("main")];
  if (now === null || next === null) throw new Error("no page");
  document.title = parsed.title;
  now.replaceWith(next);
  passwordButtons(next);
  copyButtons(next);
  saveButtons(next);
  checkedFields(next);
  (next.querySelector<HTMLElement>(".error-summary") ?? next).focus();
}
