/** A copy of a text, kept in the browser until the server has the text. */
export interface Copy {
  /** The page that keeps it: two that are open keep both texts. */
  id: string;
  time: number;
  /** The version of the article that the text began from. */
  version: string;
  fields: Record<string, string>;
}

const PREFIX = "editor ";
const SENT = "sent text";
/** A form that leads there isn't carried out yet. */
const BEFORE = /^\/(?:signin|settings|confirm-password)\b/;

export const placeOf = ({ dataset }: HTMLElement) => `${PREFIX}${dataset["member"]} ${dataset["article"]}`;

export const copiesAt = (place: string) => JSON.parse(localStorage.getItem(place) ?? "[]") as Copy[];

/** Replaces the copy of a page. */
export function keepCopy(place: string, id: string, ...copy: Copy[]): void {
  const copies = [...copiesAt(place).filter((each) => each.id !== id), ...copy];
  if (copies.length > 0) localStorage.setItem(place, JSON.stringify(copies));
  else localStorage.removeItem(place);
}

export function markSent(place: string, { id, time }: Copy): void {
  sessionStorage.setItem(SENT, JSON.stringify([place, id, time]));
}

/** A form that was carried out leads to another page. What was typed after it was sent stays kept. */
export function forgetSent(to: string | undefined): string | null {
  const sent = sessionStorage.getItem(SENT);
  sessionStorage.removeItem(SENT);
  if (sent === null || to === undefined || BEFORE.test(to)) return sent;
  const [place, id, time] = JSON.parse(sent) as [string, string, number];
  if (copiesAt(place).some((copy) => copy.id === id && copy.time === time)) keepCopy(place, id);
  return null;
}

function clearAll(): void {
  for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
}

/** Clears the copy of a text that the server has, and all copies at the end of the session. */
export function clearCopies(): void {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  // A text that is saved with a warning leads nowhere: the page says it.
  const isDone = visit?.redirectCount || document.querySelector("main .done");
  const sent = forgetSent(isDone ? location.pathname : undefined);
  document.addEventListener("submit", ({ target }) => {
    const form = target as HTMLFormElement;
    // The editor keeps its last change as its page goes, before this.
    if (form.getAttribute("action") === "/signout") addEventListener("pagehide", clearAll);
    // The forms of signing in and of a conflict carry the text on.
    if (sent !== null && form.id !== "editor" && form.elements.namedItem("body_markdown"))
      sessionStorage.setItem(SENT, sent);
  });
}
