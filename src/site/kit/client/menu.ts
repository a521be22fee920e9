/** The menu of a member closes by Escape, which gives the focus back, and by a click elsewhere. */
export function closingMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>(".viewer-menu");
  document.addEventListener("click", ({ target }) => {
    if (menu && !menu.contains(target as Node)) menu.open = false;
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu?.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}
