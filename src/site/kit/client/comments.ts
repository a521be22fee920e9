const SENT = "sent draft";
const LONGEST_MS = 60_000;

/** Keeps a comment while it is written, until the server has it, and opens the form of a reply below the comment. */
export function commentForms(): void {
  // A comment that was sent leads to its place, and one that was refused to a page with its text.
  const [name = "", at] = sessionStorage.getItem(SENT)?.split("\n") ?? [];
  const isSent = location.hash.startsWith("#comment-") && Date.now() - Number(at) < LONGEST_MS;
  if (isSent) sessionStorage.removeItem(name);
  if (isSent || document.title.startsWith("Error:")) sessionStorage.removeItem(SENT);
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-draft]")) keep(form);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-reply]") : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (openReply(link)) event.preventDefault();
  });
}

function keep(form: HTMLFormElement): void {
  const text = form.querySelector("textarea");
  const name = `draft ${form.dataset["draft"]}`;
  if (text === null) return;
  const kept = sessionStorage.getItem(name);
  if (kept !== null && text.value === text.defaultValue) text.value = kept;
  text.addEventListener("input", () => {
    if (text.value === "") sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text.value);
  });
  let sentAt = 0;
  form.addEventListener("submit", (event) => {
    // A second click sends no second form; the page may come back after a while.
    if (Date.now() - sentAt < 1_000) return event.preventDefault();
    sentAt = Date.now();
    sessionStorage.setItem(SENT, `${name}\n${sentAt}`);
  });
}

/** False where the page has no form to copy: the link leads to one. */
function openReply(link: HTMLElement): boolean {
  const form = document.querySelector<HTMLFormElement>("#comments form[data-draft]");
  const [code, comment] = [link.dataset["reply"] ?? "", link.closest(".comment")];
  if (form === null || comment === null) return false;
  const open = comment.querySelector<HTMLElement>("form textarea");
  if (open) {
    open.focus();
    return true;
  }
  const reply = form.cloneNode(true) as HTMLFormElement;
  reply.dataset["draft"] += code;
  const parent = Object.assign(document.createElement("input"), {
    type: "hidden",
    name: "parent",
    value: code,
  });
  reply.prepend(parent);
  for (const part of reply.querySelectorAll("[id]")) part.id += `-${code}`;
  const text = reply.querySelector("textarea");
  const label = reply.querySelector("label");
  const button = reply.querySelector("button");
  if (text === null || label === null || button === null) return false;
  text.value = "";
  text.setAttribute("aria-describedby", `body_markdown-hint-${code}`);
  label.htmlFor = text.id;
  label.textContent = "Your reply";
  button.textContent = "Reply";
  comment.append(reply);
  keep(reply);
  text.focus();
  return true;
}
