/** The player's address of a video's page; undefined for another site. */
function playerOf(href: string): string | undefined {
  const url = new URL(href, location.href);
  const host = url.hostname.replace(/^(?:www|m)\./, "");
  const parts = url.pathname.split("/").filter(Boolean);
  if (host === "youtube.com" || host === "youtube-nocookie.com") {
    const id =
      url.searchParams.get("v") ??
      (["embed", "shorts", "live"].includes(parts[0] ?? "") ? parts[1] : undefined);
    return id && `https://www.youtube-nocookie.com/embed/${encodeURIComponent(id)}?autoplay=1`;
  }
  if (host === "youtu.be") return parts[0] && `https://www.youtube-nocookie.com/embed/${parts[0]}?autoplay=1`;
  const video = parts.findLast((part) => /^\d+$/.test(part));
  if (host === "vimeo.com" || host === "player.vimeo.com") {
    return video && `https://player.vimeo.com/video/${video}?autoplay=1&dnt=1`;
  }
  return undefined;
}

/** Replaces a video's card by its player on a click: nothing is asked of another site before. */
export function players(): void {
  document.addEventListener("click", (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest<HTMLAnchorElement>("a.embed, a[data-player]");
    const src = link === null ? undefined : playerOf(link.href);
    if (link === null || src === undefined) return;
    event.preventDefault();
    const frame = document.createElement("iframe");
    frame.src = src;
    frame.title = link.textContent?.trim() || "Video";
    frame.allow = "autoplay; fullscreen; picture-in-picture";
    const box = document.createElement("div");
    box.className = "embed playing";
    box.append(frame);
    link.replaceWith(box);
    frame.focus();
  });
}
