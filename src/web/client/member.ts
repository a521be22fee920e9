import { enhanceForms } from "./forms.ts";

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-show-password]")) {
  const input = button.parentElement?.querySelector("input");
  button.hidden = false;
  button.addEventListener("click", () => {
    if (!input) return;
    const isShown = input.type === "text";
    input.type = isShown ? "password" : "text";
    button.textContent = isShown ? "Show" : "Hide";
  });
}

enhanceForms();
