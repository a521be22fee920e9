/** Lets a reader see what they type into the password fields of a part of the page. */
export function passwordButtons(part: ParentNode): void {
  for (const button of part.querySelectorAll<HTMLButtonElement>("[data-show-password]")) {
    const input = button.parentElement?.querySelector("input");
    button.hidden = false;
    button.addEventListener("click", () => {
      if (!input) return;
      const isShown = input.type === "text";
      input.type = isShown ? "password" : "text";
      button.textContent = isShown ? "Show" : "Hide";
    });
  }
}
