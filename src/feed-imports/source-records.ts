import { Type } from "typebox";
import { givenOf } from "../records/columns.ts";
import { recordType } from "../records/driver.ts";
import { fromIso } from "../records/iso.ts";
import { byId } from "../records/pages.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";
import { checkedUrl, schedule } from "./sources.ts";
import { parseUrl } from "../text/urls.ts";

const SourceRecord = Type.Object({
  user: Type.String(),
  url: Type.String(),
  publish: Type.Optional(Type.Boolean({ default: false })),
  created_at: Type.Optional(Type.String({ format: "date-time" })),
});

/** Feeds of people. An import schedules their fetches. */
export const sourceRecords = recordType({
  type: "feed_source",
  schema: SourceRecord,
  keyOf: ({ user, url }) => sourceKey(user, url),
  table: "feed_sources",
  references: { user: users.byUsername },
  key: ({ fields, ids }) => ({ user_id: ids.user, url: checkedUrl(fields.url) }),
  locks: true,
  columns: ({ fields }) => givenOf(fields, { publish: Boolean, created_at: fromIso }),
  defaults: (now) => ({ created_at: now }),
  after: (tx, { created }, { now }) => {
    const ids = created.map(({ id }) => id);
    return schedule(tx, ids, now);
  },
  read: byId(queries.listSourcesAfter),
});

/** A key of a feed, the same for each spelling of its address. */
export function sourceKey(user: string, url: string): string {
  const address = url.trim();
  return `${user.toLowerCase()} ${parseUrl(address)?.href ?? address}`;
}
