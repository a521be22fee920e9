const PAUSE_MS = 150;

/** Offers queries while the reader types, through the browser's own list. */
export function suggestions(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>("input[data-suggest]")) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking: AbortController | undefined;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        asking?.abort();
        asking = new AbortController();
        void offer(input, asking.signal);
      }, PAUSE_MS);
    });
  }
}

async function offer(input: HTMLInputElement, signal: AbortSignal): Promise<void> {
  const q = input.value.trim();
  if (q.length < 2 || input.list === null) return;
  try {
    const answer = await fetch(`/search/suggestions?${new URLSearchParams({ q })}`, { signal });
    if (!answer.ok) return;
    const [, found] = (await answer.json()) as [string, string[]];
    input.list.replaceChildren(
      ...found.map((text) => Object.assign(document.createElement("option"), { value: text })),
    );
  } catch {
    // Without suggestions the field works as before.
  }
}
