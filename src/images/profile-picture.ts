import { randomBytes } from "node:crypto";
import { AppError } from "../errors.ts";
import { identiconPath } from "../paths.ts";
import type { Files } from "../files/files.ts";
import { type Kind, SIDES } from "./identicon.ts";
import type { Images } from "./images.ts";

/** The picture of a person or an organization, unless another kind is named. */
export interface Pictured<Of extends Kind = "user" | "organization"> {
  kind: Of;
  id: number;
  /**
   * Null: none was given. A path like `/uploads/3f2a….jpg`: one that is kept here, as files whose names
   * have `-640` and so on before the dot. Else an address elsewhere, of one size.
   */
  profile_image: string | null;
}

const FOLDER = "uploads";

/** A path of a picture that is kept here. */
export const OWN_PICTURE = /^\/uploads\/[0-9a-f]{32}\.(?:jpg|png|webp)$/;

/** Where a picture is found in this size. */
export function addressOf({ kind, id, profile_image }: Pictured<Kind>, side: Side, baseUrl: string): string {
  if (profile_image === null) return baseUrl + identiconPath(kind, id, side);
  return profile_image.startsWith("/") ? baseUrl + sized(profile_image, side) : profile_image;
}

export type Side = (typeof SIDES)[number];

function sized(picture: string, side: Side): string {
  const dot = picture.lastIndexOf(".");
  return `${picture.slice(0, dot)}-${side}${picture.slice(dot)}`;
}

/** What pictures are made with, and where they are kept. */
export interface Studio {
  files: Files;
  images: Images;
}

/**
 * Has a picture stored in place of the one before, which goes when that is done; when it fails, the
 * new one goes.
 * @throws AppError invalid when it isn't one that is accepted, and what `store` throws
 */
export async function replace(
  { files, images }: Studio,
  bytes: Buffer,
  store: (picture: string) => Promise<{ replaced: string | null }>,
): Promise<void> {
  const pictures = await images.squares(bytes, SIDES);
  const picture = `/${FOLDER}/${randomBytes(16).toString("hex")}.${pictures[0]?.extension}`;
  for (const [index, { bytes, type }] of pictures.entries()) {
    await files.put(fileOf(picture, SIDES[index] as Side), bytes, type);
  }
  const { replaced } = await store(picture).catch(async (error: unknown) => {
    // After another failure it may have been stored nevertheless: the sweep of files finds out.
    if (error instanceof AppError) await remove(files, picture);
    throw error;
  });
  await remove(files, replaced);
}

/** Removes the files of a picture that nobody shows any more. */
export async function remove(files: Files, picture: string | null): Promise<void> {
  if (picture === null || !OWN_PICTURE.test(picture)) return;
  for (const side of SIDES) await files.remove(fileOf(picture, side));
}

/** The names of its files. */
export function filesOf(picture: string): string[] {
  return SIDES.map((side) => fileOf(picture, side));
}

function fileOf(picture: string, side: Side): string {
  return sized(picture, side).slice(1);
}
