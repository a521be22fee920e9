import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { AppError } from "../../platform/errors.ts";
import { locate } from "../../platform/program-files.ts";
import { identiconPath } from "../../platform/paths.ts";
import type { Files } from "../../platform/files/files.ts";
import { removeFiles, type Store } from "../../platform/files/removal.ts";
import { type Kind, SIDES } from "./identicon.ts";
import type { Images } from "./images.ts";

export interface Pictured<Of extends Kind = "user" | "organization"> {
  kind: Of;
  id: number;
  /**
   * Null for none; a path like `/uploads/3f2a….jpg` of our own, stored in several sizes (`…-640.jpg`), or like
   * `/assets/demo/lena.webp`; or an address elsewhere.
   */
  profile_image: string | null;
}

const FOLDER = "uploads";

const OWN_PICTURE = /^\/uploads\/[0-9a-f]{32}\.(?:jpg|png|webp)$/;
const DEMO_PICTURE = /^\/assets\/demo\/\w+\.webp$/;

/** Whether it is the path of a picture of this site; those of the demo come with the program. */
export const isPath = (picture: string): boolean =>
  OWN_PICTURE.test(picture) || (DEMO_PICTURE.test(picture) && existsSync(locate(`..${sized(picture, 640)}`)));

export function addressOf({ kind, id, profile_image }: Pictured<Kind>, side: Side, baseUrl: string): string {
  if (profile_image === null) return baseUrl + identiconPath(kind, id, side);
  return profile_image.startsWith("/") ? baseUrl + sized(profile_image, side) : profile_image;
}

export type Side = (typeof SIDES)[number];

function sized(picture: string, side: Side): string {
  const dot = picture.lastIndexOf(".");
  return `${picture.slice(0, dot)}-${side}${picture.slice(dot)}`;
}

export interface Studio {
  files: Files;
  images: Images;
}

/**
 * Stores a picture and removes the replaced one; after a failure the new one.
 * @throws AppError invalid for a bad picture, and errors of `store`
 */
export async function replace(
  { db, files, images }: Studio & Store,
  bytes: Buffer,
  store: (picture: string) => Promise<{ replaced: string | null }>,
): Promise<void> {
  const pictures = await images.squares(bytes, SIDES);
  const picture = `/${FOLDER}/${randomBytes(16).toString("hex")}.${pictures[0]?.extension}`;
  const names = filesOf(picture);
  for (const [index, { bytes }] of pictures.entries()) await files.put(String(names[index]), bytes);
  const { replaced } = await store(picture).catch(async (error: unknown) => {
    // A failure that is no refusal may leave the row: the sweep of files decides.
    if (error instanceof AppError) await remove({ db, files }, picture);
    throw error;
  });
  await remove({ db, files }, replaced);
}

export async function remove(store: Store, picture: string | null): Promise<void> {
  await removeFiles(store, ownFiles(picture));
}

export function ownFiles(picture: string | null): string[] {
  return picture !== null && OWN_PICTURE.test(picture) ? filesOf(picture) : [];
}

function filesOf(picture: string): string[] {
  return SIDES.map((side) => sized(picture, side).slice(1));
}
