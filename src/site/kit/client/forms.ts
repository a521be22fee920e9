import { checkedFields } from "./checking.ts";
import { copyButtons } from "./code.ts";
import { clearCopies, forgetSent } from "./copies.ts";
import { passwordButtons } from "./passwords.ts";
import { saveButtons } from "./saving.ts";

const BUSY_MS = 300;

/** Forms and buttons of acts that are being sent: a second click is no second form. */
const sending = new WeakSet<HTMLElement>();

/**
 * Sends forms without leaving the page, and puts the answer in its place. Where anything fails, the browser sends the
 * form as it does without a script.
 */
export function enhanceForms(): void {
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !form.matches("form[data-enhance]")) return;
    event.preventDefault();
    const sent = form.id === "acts" && submitter ? submitter : form;
    if (sending.has(sent)) return;
    sending.add(sent);
    void send(form, submitter, sent).catch(() => {
      delete form.dataset["enhance"];
      form.requestSubmit(submitter);
    });
  });
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null, sent: HTMLElement): Promise<void> {
  const timer = setTimeout(() => sent.setAttribute("aria-busy", "true"), BUSY_MS);
  const data = new FormData(form, submitter);
  const body = form.enctype === "multipart/form-data" ? data : new URLSearchParams(data as never);
  const headers = { accept: "text/html; fragment=1" };
  // A field may have the name "action", by which the form's property of this name is not to be had.
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  try {
    const answer = await fetch(action, { method: "POST", body, headers, credentials: "same-origin" });
    const to = answer.headers.get("location");
    if (to !== null && action === "/signout") clearCopies();
    if (to !== null) return goTo(to);
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!showAct(parsed, sent)) show(parsed);
  } finally {
    clearTimeout(timer);
    sent.removeAttribute("aria-busy");
    sending.delete(sent);
  }
}

/** A fragment alone would only scroll the page that is open. */
function goTo(to: string): void {
  const [url, here] = [new URL(to, location.href), new URL(location.href)];
  forgetSent(url.pathname);
  const isHere = url.pathname + url.search === here.pathname + here.search;
  location.assign(url);
  if (isHere && url.hash !== "") location.reload();
}

/** Shows the state of a button that was answered, or the faults beside it. */
function showAct(parsed: Document, sent: HTMLElement): boolean {
  const button = parsed.querySelector<HTMLButtonElement>("button.act");
  const faults = parsed.querySelector(".error-summary ul");
  if (!(sent instanceof HTMLButtonElement) || (button ?? faults) === null) return false;
  document.getElementById("act-fault")?.remove();
  if (button) {
    sent.value = button.value;
    sent.setAttribute("aria-pressed", button.getAttribute("aria-pressed") ?? "");
    sent.querySelector(".number")?.remove();
    sent.append(button.querySelector(".number") ?? "");
    return true;
  }
  const fault = document.createElement("p");
  Object.assign(fault, {
    id: "act-fault",
    className: "fault",
    role: "alert",
    textContent: faults?.textContent,
  });
  sent.after(fault);
  return true;
}

/** The faults, to which the focus moves, or the page of what was made. */
function show(parsed: Document): void {
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
