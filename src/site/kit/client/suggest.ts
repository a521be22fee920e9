const PAUSE_MS = 150;
const LEAST_LETTERS = 2;

type Answer = [typed: string, texts: string[], kinds: string[], addresses: string[]];

/** Offers what the reader may be typing, in a list as the ARIA pattern of a combobox describes it. */
export function suggestions(): void {
  const input = document.querySelector<HTMLInputElement>("input[data-suggest]");
  if (input !== null) new Combobox(input).begin();
}

class Combobox {
  readonly #input: HTMLInputElement;
  readonly #list = element("ul", { id: "suggestions", role: "listbox", "aria-label": "Suggestions" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();
  /** The index of the chosen option; -1 for none. */
  #active = -1;

  constructor(input: HTMLInputElement) {
    this.#input = input;
  }

  begin(): void {
    const input = this.#input;
    const role = { role: "combobox", "aria-autocomplete": "list", "aria-controls": this.#list.id };
    for (const [name, value] of Object.entries(role)) input.setAttribute(name, value);
    input.after(this.#list);
    this.#close();
    input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
    });
    input.addEventListener("blur", () => this.#close());
    input.addEventListener("keydown", (event) => {
      if (!this.#list.hidden && !event.isComposing && this.#press(event.key)) event.preventDefault();
    });
    // The field keeps the focus, or the list would be gone before the click.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => go((event.target as Element).closest("[role=option]")));
  }

  /** Returns whether the key does something here. */
  #press(key: string): boolean {
    const { length } = this.#list.children;
    if (key === "ArrowDown") this.#activate(this.#active + 1 < length ? this.#active + 1 : 0);
    else if (key === "ArrowUp") this.#activate(this.#active > 0 ? this.#active - 1 : length - 1);
    else if (key === "Escape") this.#close();
    else if (key === "Enter" && this.#active >= 0) go(this.#list.children[this.#active]);
    else return false;
    return true;
  }

  #activate(index: number): void {
    this.#active = index;
    for (const [at, option] of [...this.#list.children].entries()) {
      option.setAttribute("aria-selected", String(at === index));
      if (at === index) option.scrollIntoView({ block: "nearest" });
    }
    this.#input.setAttribute("aria-activedescendant", this.#list.children[index]?.id ?? "");
  }

  #show(options: readonly HTMLElement[]): void {
    this.#list.replaceChildren(...options);
    this.#list.hidden = options.length === 0;
    this.#input.setAttribute("aria-expanded", String(!this.#list.hidden));
    this.#activate(-1);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#show([]);
  }

  async #ask(): Promise<void> {
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    const q = this.#input.value.trim();
    try {
      const options = q.length < LEAST_LETTERS ? [] : await optionsFor(q, signal);
      if (!signal.aborted) this.#show(options);
    } catch {
      // The field works without suggestions too.
    }
  }
}

async function optionsFor(q: string, signal: AbortSignal): Promise<HTMLElement[]> {
  const answer = await fetch(`/search/suggestions?${new URLSearchParams({ q })}`, { signal });
  if (!answer.ok) return [];
  const [, texts, kinds, addresses] = (await answer.json()) as Answer;
  return texts.map((text, at) => {
    const option = element("li", { id: `suggestion-${at}`, role: "option" });
    // The reader may have come by another address of the site.
    const { pathname, search } = new URL(addresses[at] ?? "", location.href);
    option.dataset["address"] = pathname + search;
    option.append(Object.assign(element("span", { dir: "auto" }), { textContent: text }));
    option.append(Object.assign(element("small", {}), { textContent: kinds[at] }));
    return option;
  });
}

function element(name: string, attributes: Record<string, string>): HTMLElement {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function go(option: Element | null | undefined): void {
  const address = option?.getAttribute("data-address");
  if (address) location.assign(address);
}
