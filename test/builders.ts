import { type PageViewRecord, pageViewRecords } from "../src/community/analytics/records.ts";
import type { ArticleRecord } from "../src/community/articles/record-columns.ts";
import { articleRecords } from "../src/community/articles/records.ts";
import { idCode } from "../src/community/comments/id-codes.ts";
import type { CommentRecord } from "../src/community/comments/records.ts";
import { commentRecords } from "../src/community/comments/records.ts";
import type { Services } from "../src/context.ts";
import type { Db } from "../src/platform/db/connect.ts";
import { inTransaction } from "../src/platform/db/transaction.ts";
import { followRecords } from "../src/community/follows/records.ts";
import { listingRecords } from "../src/community/listings/records.ts";
import { organizationRecords } from "../src/community/organizations/records.ts";
import { episodeRecords, podcastRecords } from "../src/community/podcasts/records.ts";
import { type ReactionRecord, reactionRecords } from "../src/community/reactions/records.ts";
import { createStates } from "../src/operate/community-file/batches.ts";
import type { ImportContext, RecordType } from "../src/community/records/record-type.ts";
import { tagRecords } from "../src/community/tags/records.ts";
import * as keys from "../src/community/users/keys.ts";
import { userRecords } from "../src/community/users/records.ts";
import { insert as enqueue, type NewDelivery } from "../src/community/webhooks/delivery-queries.ts";
import { type WebhookRecord, webhookRecords } from "../src/community/webhooks/records.ts";

type Fields = Record<string, unknown>;
type Named = Fields & { username?: string };

interface Site {
  db: Db;
  services: Services;
  now: () => Date;
}

/** Short words for putting things into a world; what a test doesn't say is made up. */
export function builders(site: Site) {
  let serial = 0;
  const put = (type: RecordType<never>, fields: Fields) => write(site, type, fields);

  return {
    async user(fields: Named = {}) {
      const { username = `person_${++serial}` } = fields;
      await put(userRecords, { name: username, ...fields, username });
      return site.db
        .selectFrom("users")
        .selectAll()
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
    },
    async organization(fields: Named = {}) {
      const { username = `group_${++serial}` } = fields;
      await put(organizationRecords, { name: username, ...fields, username });
      return site.db
        .selectFrom("organizations")
        .selectAll()
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
    },
    /** People by username with their roles; gives the key of each. */
    async keysOf(roles: Record<string, string>): Promise<Record<string, string>> {
      const keys: Record<string, string> = {};
      for (const [username, role] of Object.entries(roles)) {
        keys[username] = await this.key(await this.user({ username, role }));
      }
      return keys;
    },
    tag: (fields: Fields) => put(tagRecords, fields),
    /** A follow, by the keys of a community file. */
    follow: (fields: Fields) => put(followRecords, fields),
    /** A key of this person, in plain text. */
    async key(owner: { id: number }, options: { readOnly?: boolean; expiresAt?: Date } = {}) {
      const { key } = await keys.create(
        site.db,
        { userId: owner.id, description: "Test", ...options },
        site.now(),
      );
      return key;
    },
    /** A published article by `author`, unless the fields say otherwise. */
    async article(author: { username: string }, fields: Partial<ArticleRecord> = {}) {
      const number = ++serial;
      const record = {
        title: `Article ${number}`,
        slug: `article-${number}-x`,
        body_markdown: "Some words.",
        ...fields,
      };
      await put(articleRecords, { ...record, author: author.username });
      return site.db
        .selectFrom("articles")
        .selectAll()
        .where("slug", "=", record.slug)
        .executeTakeFirstOrThrow();
    },
    /** A comment by `author` under the article or episode that the fields name, and its code. */
    async comment(author: { username: string }, fields: Partial<CommentRecord>) {
      const record = { body_markdown: `Comment ${++serial}`, ...fields, author: author.username };
      await put(commentRecords, record);
      const row = await site.db
        .selectFrom("comments")
        .innerJoin("users", "users.id", "author_id")
        .selectAll("comments")
        .where("username", "=", author.username)
        .where("body_markdown", "=", record.body_markdown)
        .orderBy("comments.id", "desc")
        .executeTakeFirstOrThrow();
      return { ...row, code: idCode(row.id) };
    },
    /** Many comments at once. */
    comments: (records: CommentRecord[]) => writeAll(site, commentRecords, records),
    podcast: (fields: Fields) => put(podcastRecords, { title: "A podcast", ...fields }),
    /** An episode of the podcast with this slug. */
    async episode(podcast: string, fields: Fields & { slug?: string } = {}) {
      const number = ++serial;
      const { slug = `ep-${number}` } = fields;
      const media_url = `https://media.example/${number}.mp3`;
      const record = { title: `Episode ${number}`, media_url, ...fields, podcast, slug };
      await put(episodeRecords, record);
      return site.db
        .selectFrom("podcast_episodes")
        .innerJoin("podcasts", "podcasts.id", "podcast_id")
        .selectAll("podcast_episodes")
        .where("podcasts.slug", "=", podcast)
        .where("podcast_episodes.slug", "=", slug)
        .executeTakeFirstOrThrow();
    },
    /** A reaction to an article or a comment, by the keys of a community file. */
    reaction: (fields: ReactionRecord) => put(reactionRecords, fields),
    /** A published listing by `author`, unless the fields say otherwise. */
    async listing(author: { username: string }, fields: Fields & { slug?: string } = {}) {
      const number = ++serial;
      const { slug = `listing-${number}-x` } = fields;
      await put(listingRecords, {
        title: `Listing ${number}`,
        body_markdown: "Some words.",
        category: "misc",
        ...fields,
        slug,
        author: author.username,
      });
      return site.db.selectFrom("listings").selectAll().where("slug", "=", slug).executeTakeFirstOrThrow();
    },
    /** Views, by the keys of a community file. */
    pageViews: (...records: PageViewRecord[]) => writeAll(site, pageViewRecords, records),
    /** An endpoint of `owner`, by default for publications. */
    async webhook(owner: { id: number; username: string }, fields: Partial<WebhookRecord> = {}) {
      const { target_url = `https://hooks.example/${++serial}`, ...rest } = fields;
      const record = { source: "tests", events: ["article_published"], ...rest };
      await put(webhookRecords, { ...record, target_url, user: owner.username });
      return site.db
        .selectFrom("webhook_endpoints")
        .selectAll()
        .where("user_id", "=", owner.id)
        .where("target_url", "=", target_url)
        .executeTakeFirstOrThrow();
    },
    /** Returns the id of a due delivery to this endpoint; 0 for a suspended owner. */
    async delivery(endpoint: { id: number }, fields: Partial<NewDelivery> = {}): Promise<number> {
      const delivery = {
        event: "article_published",
        payload: "{}",
        endpointId: endpoint.id,
        ...fields,
      } as const;
      const id = await inTransaction(site.db, (tx) => enqueue(tx, delivery, site.now()));
      return Number(id ?? 0);
    },
    /** Many articles at once. */
    articles: (records: ArticleRecord[]) => writeAll(site, articleRecords, records),
  };
}

function write(site: Site, type: RecordType<never>, fields: Fields): Promise<void> {
  return writeAll(site, type, [fields]);
}

/** Goes the way that an import goes. */
async function writeAll(
  { db, services, now }: Site,
  type: RecordType<never>,
  records: Fields[],
): Promise<void> {
  const states = createStates();
  await inTransaction(db, async (tx) => {
    const context: ImportContext = {
      now: now(),
      renderPool: services.renderPool,
      reject: (_entry, reason) => {
        throw new Error(reason);
      },
      state: states.state,
    };
    const batch = records.map((fields, index) => ({ line: index + 1, fields: fields as never }));
    await type.write(tx, batch, context);
    await states.finish(tx, context.now);
  });
  await states.afterCommit(db, now());
}
