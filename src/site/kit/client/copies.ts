/** A copy of a text, kept in the browser until the server has the text. */
export interface Copy {
  time: number;
  /** The version of the article that the text began from. */
  version: string;
  fields: Record<string, string>;
}

export const PREFIX = "editor ";
const SENT = "sent text";
/** After a form that failed, a later answer is to another form. */
const LONGEST_MS = 60_000;
/** The pages that send a text. */
const OF_FORM = /\/(?:new|edit|signin(?:\/code)?)(?:\?|$)/;
/** A form that leads there isn't carried out yet. */
const BEFORE = /^\/(?:signin|settings|confirm-password)\b/;

/** The copies of an article with their names, the oldest first. Each page that is open keeps one. */
export const copiesAt = (place: string) =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(place))
    .toSorted()
    .map((name) => [name, JSON.parse(localStorage.getItem(name) ?? "") as Copy] as const);

export function clearCopies(): void {
  for (const [name] of copiesAt(PREFIX)) localStorage.removeItem(name);
}

type Sent = [name: string, time: number];

export function markSent(...sent: Sent): void {
  sessionStorage.setItem(SENT, JSON.stringify([Date.now(), ...sent]));
}

function takeSent(): Sent | undefined {
  const [at, ...sent] = JSON.parse(sessionStorage.getItem(SENT) ?? "[0]") as [number, ...Sent];
  sessionStorage.removeItem(SENT);
  return Date.now() - at < LONGEST_MS ? sent : undefined;
}

/** A form that was carried out leads to another page. What was typed after it was sent stays kept. */
export function forgetSent(to: string): void {
  if (BEFORE.test(to)) return;
  const [name = "", time] = takeSent() ?? [];
  const copy = JSON.parse(localStorage.getItem(name) ?? "{}") as Partial<Copy>;
  if (copy.time === time) localStorage.removeItem(name);
}

/** Forgets the copy of a text that the server has. */
export function watchCopies(): void {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  // A text that is saved with a warning leads nowhere: the page says it. Other pages say nothing of this form.
  const isDone = visit?.redirectCount || document.querySelector("main .done");
  if (isDone && OF_FORM.test(document.referrer)) forgetSent(location.pathname);
  const sent = takeSent();
  document.addEventListener("submit", ({ target }) => {
    const { id, elements } = target as HTMLFormElement;
    // The forms of signing in and of a conflict carry the text on.
    const isCarried = elements.namedItem("version") ?? elements.namedItem("action");
    if (sent && id !== "editor" && isCarried) markSent(...sent);
  });
}
