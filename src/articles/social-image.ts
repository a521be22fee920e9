import { createHash } from "node:crypto";
import { type Card, CARD_VERSION } from "../images/card.ts";
import { assetPath, cardPath } from "../paths.ts";

/** What the picture of an article is made from. */
interface Pictured extends Carded {
  id: number;
  state: string;
  main_image: string | null;
}

interface Carded {
  title: string;
  user: { id: number; name: string };
  organization: { name: string } | null;
}

/**
 * The picture that is shown where somebody links to an article: its cover, else a card with its
 * title, whose address changes with what stands on it. Without a cover, what isn't public has the site's.
 */
export function socialImage(row: Pictured, baseUrl: string): string {
  if (row.main_image !== null) return row.main_image;
  if (row.state !== "published") return baseUrl + assetPath("social.png");
  return baseUrl + cardPath(row.id, cardHash(row));
}

/** What stands on the card of an article, beside the name of the site. */
export function cardOf({ title, user, organization }: Carded): Omit<Card, "site"> {
  const byline = organization === null ? user.name : `${user.name} · ${organization.name}`;
  return { title, byline, authorId: user.id };
}

/** A text that is another one for another card. */
export function cardHash(row: Carded): string {
  return createHash("sha256")
    .update(JSON.stringify([CARD_VERSION, cardOf(row)]))
    .digest("hex")
    .slice(0, 16);
}
