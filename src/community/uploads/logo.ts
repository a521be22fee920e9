import { existsSync } from "node:fs";
import type { Studio } from "../../content/images/profile-picture.ts";
import { FieldsError } from "../../platform/errors.ts";
import type { Files } from "../../platform/files/files.ts";
import { uploadPath } from "../../platform/paths.ts";
import { locate } from "../../platform/program-files.ts";
import { quote } from "../../platform/text/quote.ts";
import * as uploads from "./uploads.ts";

/** The path of a stored image, for the setting `logo_url`. */
export const store = async (image: Buffer, studio: Studio): Promise<string> =>
  uploadPath(await uploads.createForSite(image, studio));

/** @throws FieldsError for a path of this site at which there is no image */
export async function refuseMissing(files: Files, path: string): Promise<void> {
  if (!path.startsWith("/") || path.startsWith("//")) return;
  if (path.startsWith("/assets/") && existsSync(locate(`..${path}`))) return;
  const name = path.startsWith(uploadPath("")) ? path.slice(uploadPath("").length) : "";
  const file = /^[0-9a-f]{32}\.[a-z]+$/.test(name) ? await uploads.open(files, name) : undefined;
  file?.stream.destroy();
  if (file !== undefined) return;
  const words = `${quote(path)} leads to no file: upload one with \`inkstone settings set logo FILE\`.`;
  throw new FieldsError({ logo_url: [words] }, `logo_url ${words}`);
}
