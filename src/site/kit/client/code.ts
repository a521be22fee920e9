const SHOWN_MS = 2_000;

/** Boxes that are wider than the page scroll by keyboard; the others are no stop of the Tab key. */
export function scrollers(): void {
  const boxes = document.querySelectorAll<HTMLElement>("pre, .prose table");
  const mark = () => {
    for (const box of boxes) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  addEventListener("resize", mark);
  // What a drawer hides has no width before it opens.
  document.addEventListener("toggle", mark, true);
  mark();
}

/** Gives each piece of code a button that copies it. Only secure origins may write to the clipboard. */
export function copyButtons(part: ParentNode = document): void {
  if (!isSecureContext) return;
  for (const pre of part.querySelectorAll("pre:has(code)")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-button";
    const say = (text: string) => (button.textContent = text);
    say("Copy");
    button.addEventListener("click", () => {
      const text = pre.textContent?.replace(/\n$/, "") ?? "";
      void navigator.clipboard.writeText(text).then(
        () => say("Copied"),
        () => say("Not copied"),
      );
      setTimeout(say, SHOWN_MS, "Copy");
    });
    const box = document.createElement("div");
    box.className = "code";
    pre.replaceWith(box);
    box.append(pre, button);
  }
}
