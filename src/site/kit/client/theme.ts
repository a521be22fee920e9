const YEAR_SECONDS = 31_536_000;

/** Lets the reader override the theme of the system; kept in a cookie. */
export function themeButton(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-theme-button]");
  if (button === null) return;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () =>
    (document.documentElement.dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark";
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset["theme"] = theme;
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `theme=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
    show();
  });
  system.addEventListener("change", show);
  show();
  button.hidden = false;
}
