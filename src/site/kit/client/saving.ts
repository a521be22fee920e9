/** Gives texts that a page shows only once buttons that save and print them. */
export function saveButtons(part: ParentNode): void {
  for (const pre of part.querySelectorAll<HTMLElement>("pre[data-download]")) {
    const save = document.createElement("a");
    save.className = "button";
    save.textContent = "Download";
    save.download = pre.dataset["download"] ?? "";
    save.href = URL.createObjectURL(new Blob([`${pre.textContent}\n`], { type: "text/plain" }));
    const printing = document.createElement("button");
    printing.className = "button";
    printing.textContent = "Print";
    printing.addEventListener("click", () => print());
    const buttons = document.createElement("p");
    buttons.className = "no-print";
    buttons.append(save, " ", printing);
    (pre.closest(".code") ?? pre).after(buttons);
  }
}
