import { YOUTUBE_VIDEO } from "./embeds/services.ts";

const ADDRESS = new RegExp(String.raw`${YOUTUBE_VIDEO}(?![\w-])`, "i");

/** Of YouTube; null for others. */
export function videoPicture(url: string | null): string | null {
  const id = ADDRESS.exec(url ?? "")?.[1];
  return id === undefined ? null : `https://i.ytimg.com/vi/${id}/hqdefault.jpg`;
}
