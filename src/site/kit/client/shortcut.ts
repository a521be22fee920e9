const KEY = "shortcut";

/** `/` goes to the search field, unless the reader has turned that off (WCAG 2.2, 2.1.4). */
export function searchShortcut(): void {
  const field = document.querySelector<HTMLInputElement>("[data-suggest]");
  if (field === null) return;
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (target.isContentEditable || target.matches("input, select, textarea") || isOff()) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  const choice = document.querySelector<HTMLInputElement>("[data-shortcut]");
  if (choice === null) return;
  choice.checked = !isOff();
  choice.addEventListener("change", () => {
    try {
      localStorage.setItem(KEY, choice.checked ? "on" : "off");
    } catch {
      // A reader who keeps no data keeps no choice.
    }
  });
  choice.closest("[hidden]")?.removeAttribute("hidden");
}

function isOff(): boolean {
  try {
    return localStorage.getItem(KEY) === "off";
  } catch {
    return false;
  }
}
