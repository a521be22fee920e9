const PAUSE_MS = 300;
const LEAST_LETTERS = 2;

/** Shows the faults of fields that the server judges while a reader types. */
export function checkedFields(part: ParentNode): void {
  for (const input of part.querySelectorAll<HTMLInputElement>("input[data-check]")) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => void check(input), PAUSE_MS);
    });
    // The answer to the form says the same, and an invitation that it uses finds no fault any more.
    input.form?.addEventListener("submit", () => clearTimeout(timer));
  }
}

/** An answer about what stood there before is left out. */
async function check(input: HTMLInputElement): Promise<void> {
  const { value, parentElement: field } = input;
  const fault = await ask(input);
  if (input.value !== value) return;
  field?.querySelector(".fault")?.replaceChildren(fault);
  field?.classList.toggle("faulty", fault !== "");
  if (fault === "") input.removeAttribute("aria-invalid");
  else input.setAttribute("aria-invalid", "true");
}

/** Nothing for a free name, and where the answer doesn't come: sending the form tells the rest. */
async function ask({ name, value, dataset }: HTMLInputElement): Promise<string> {
  if (value.trim().length < LEAST_LETTERS) return "";
  const url = new URL(dataset["check"] ?? "", location.href);
  url.searchParams.set(name, value);
  try {
    const answer = await fetch(url);
    return answer.ok ? (((await answer.json()) as { fault: string | null }).fault ?? "") : "";
  } catch {
    return "";
  }
}
