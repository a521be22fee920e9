import { accepts } from "../../platform/fields/fields.ts";
import { PROFILE } from "../../community/users/fields.ts";
import type { Source, Stranger } from "./reader.ts";
import type { Attachment } from "./wordpress-text.ts";
import { readWxr, textIn, type Texts, type WxrItem } from "./wxr.ts";

/** What posts refer to, also in later files: people, and the pictures of the other site. */
export interface Library {
  /** The author with this login. */
  authorOf(login: string): Stranger;
  /** The author with this id; undefined for people who wrote comments only. */
  authorWithId(id: string): Stranger | undefined;
  picture(id: string): Attachment | undefined;
  /** The pictures that were uploaded for a post. */
  picturesOf(postId: string): Attachment[];
}

export async function readLibrary(sources: readonly Source[]): Promise<Library> {
  const authors = new Map<string, Stranger>();
  const logins = new Map<string, string>();
  const pictures = new Map<string, Attachment>();
  const children = new Map<string, Attachment[]>();

  function addPicture({ texts, meta }: WxrItem): void {
    const url = textIn(texts, "wp:attachment_url");
    if (!/\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i.test(url)) return;
    const picture = { url, alt: textIn(meta, "_wp_attachment_image_alt") };
    const parent = textIn(texts, "wp:post_parent");
    pictures.set(textIn(texts, "wp:post_id"), picture);
    const siblings = children.get(parent);
    if (siblings) siblings.push(picture);
    else if (parent !== "" && parent !== "0") children.set(parent, [picture]);
  }

  for (const source of sources) {
    for await (const part of readWxr(source)) {
      if ("item" in part) addPicture(part.item);
      else {
        const login = textIn(part.author, "wp:author_login");
        authors.set(login, strangerOf(login, part.author));
        logins.set(textIn(part.author, "wp:author_id"), login);
      }
    }
  }
  return {
    authorOf: (login) => authors.get(login) ?? { username: login, name: nameOf("", login) },
    authorWithId: (id) => authors.get(logins.get(id) ?? ""),
    picture: (id) => pictures.get(id),
    picturesOf: (postId) => children.get(postId) ?? [],
  };
}

function strangerOf(login: string, texts: Texts): Stranger {
  const email = textIn(texts, "wp:author_email");
  return {
    username: login,
    name: nameOf(textIn(texts, "wp:author_display_name"), login),
    ...(accepts(PROFILE.email, email) && email !== "" && { email }),
  };
}

/** A name that a user can have: there it may have been any text. */
export const nameOf = (name: string, otherwise: string): string =>
  [name, otherwise].find((one) => accepts(PROFILE.name, one)) ?? "Anonymous";
