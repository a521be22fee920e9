import { passwordButtons } from "./passwords.ts";

const BUSY_MS = 300;

/**
 * Sends forms without leaving the page, and puts the answer in its place. Where anything fails, the browser sends the
 * form as it does without a script.
 */
export function enhanceForms(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches("form[data-enhance]")) return;
    event.preventDefault();
    void send(form, event.submitter).catch(() => form.submit());
  });
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const timer = setTimeout(() => form.setAttribute("aria-busy", "true"), BUSY_MS);
  const data = new FormData(form, submitter);
  const body = form.enctype === "multipart/form-data" ? data : new URLSearchParams(data as never);
  const headers = { accept: "text/html" };
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers, credentials: "same-origin" });
    if (answer.redirected) return location.assign(answer.url);
    show(await answer.text());
  } finally {
    clearTimeout(timer);
    form.removeAttribute("aria-busy");
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
  (next.querySelector<HTMLElement>(".error-summary") ?? next).focus();
}
