const PAUSE_MS = 300;
const LEAST_LETTERS = 2;

/** Shows the faults of fields that the server judges while a reader types. */
export function checkedFields(part: ParentNode): void {
  for (const input of part.querySelectorAll<HTMLInputElement>("input[data-check]")) begin(input);
}

function begin(input: HTMLInputElement): void {
  const words = faultOf(input);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = new AbortController();
  input.addEventListener("input", () => {
    clearTimeout(timer);
    asking.abort();
    const { signal } = (asking = new AbortController());
    timer = setTimeout(() => void check(input, words, signal), PAUSE_MS);
  });
}

/** Where the fault stands, as `Field` of the pages makes it. It is there before its words, so that they are read aloud. */
function faultOf(input: HTMLInputElement): HTMLElement {
  const id = `${input.name}-fault`;
  let words = input.parentElement?.querySelector<HTMLElement>(".fault");
  if (!words) {
    words = document.createElement("p");
    words.className = "fault";
    words.id = id;
    input.before(words);
    input.setAttribute("aria-describedby", `${input.getAttribute("aria-describedby") ?? ""} ${id}`.trim());
  }
  words.setAttribute("aria-live", "polite");
  return words;
}

/** An answer about what stood there before is left out. */
async function check(input: HTMLInputElement, words: HTMLElement, signal: AbortSignal): Promise<void> {
  const fault = await ask(input, signal);
  if (signal.aborted) return;
  words.textContent = fault;
  input.parentElement?.classList.toggle("faulty", fault !== "");
  if (fault === "") input.removeAttribute("aria-invalid");
  else input.setAttribute("aria-invalid", "true");
}

/** Nothing for a free name, and where the answer doesn't come: sending the form tells the rest. */
async function ask(input: HTMLInputElement, signal: AbortSignal): Promise<string> {
  if (input.value.trim().length < LEAST_LETTERS) return "";
  const url = new URL(input.dataset["check"] ?? "", location.href);
  url.searchParams.set(input.name, input.value);
  try {
    const answer = await fetch(url, { signal });
    return answer.ok ? (((await answer.json()) as { fault: string | null }).fault ?? "") : "";
  } catch {
    return "";
  }
}
