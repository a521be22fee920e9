import { randomUUID } from "node:crypto";
import * as keys from "../../src/community/users/keys.ts";
import { startWorld, type World } from "../world.ts";

/** All roles that could send a request about the owner's things. */
export const ROLES = [
  "anonymous",
  "stranger",
  "owner",
  "member",
  "org_admin",
  "moderator",
  "admin",
  "suspended",
  "revoked",
  "expired",
  "read_only",
] as const;
export type Role = (typeof ROLES)[number];

/** In which state an article is that a request is about. */
export const STATES = ["published", "draft", "scheduled", "unpublished"] as const;
export type State = (typeof STATES)[number];

export const ORGANIZATION = "tinkerlab";

/** Stands in every text of what isn't public. */
export const CANARY = "canaryzebra";

/** People of every kind with their keys, and an organization they have to do with. */
export async function startCast() {
  const world = await startWorld();
  const people = await makePeople(world);
  const group = await world.organization({
    username: ORGANIZATION,
    name: "Tinker Lab",
    members: [
      { username: "olga", role: "member" },
      { username: "sue", role: "member" },
      { username: "mia", role: "member" },
      { username: "orla", role: "admin" },
    ],
  });
  // Each person's own list contains something that isn't public.
  for (const { username } of Object.values(people)) {
    if (username !== "olga") await world.follow({ user: "olga", followed_user: username });
  }
  const keyOf = await makeKeys(world, people);
  // With an endpoint, every event is recorded.
  await world.webhook(people.admin);
  const article = articleMaker(world, people.stranger);
  const listing = listingMaker(world);
  /** The subject of an operation. */
  const make = (path: string, author: { id: number; username: string }, state: State) => {
    if (path.startsWith("/api/webhooks")) return webhookOf(world, author);
    return path.startsWith("/api/listings") ? listing(author, state) : article(author, state);
  };
  return { world, people, group, keyOf, article, listing, make };
}

export type Cast = Awaited<ReturnType<typeof startCast>>;

type People = Awaited<ReturnType<typeof makePeople>>;

async function makePeople({ user }: World) {
  return {
    owner: await user({ username: "olga", email: `olga@${CANARY}.example` }),
    stranger: await user({ username: "stan" }),
    member: await user({ username: "mia" }),
    org_admin: await user({ username: "orla" }),
    moderator: await user({ username: "moira", role: "moderator" }),
    admin: await user({ username: "ada", role: "admin" }),
    suspended: await user({ username: "sue", suspended: true }),
  };
}

/** The key of each role. The last three roles are the owner with another key. */
async function makeKeys({ db, key }: World, people: People): Promise<(role: Role) => string | undefined> {
  const { owner } = people;
  const description = "Revoked";
  const revoked = await keys.create(db, { userId: owner.id, description }, new Date());
  expectOne(await keys.removeByDescription(db, owner.id, description));
  const past = (day: number) => new Date(Date.UTC(2020, 0, day));
  const short = { userId: owner.id, description: "Short", expiresAt: past(2) };
  const expired = await keys.create(db, short, past(1));
  const known: Record<Role, string | undefined> = {
    anonymous: undefined,
    stranger: await key(people.stranger),
    owner: await key(owner),
    member: await key(people.member),
    org_admin: await key(people.org_admin),
    moderator: await key(people.moderator),
    admin: await key(people.admin),
    suspended: await key(people.suspended),
    revoked: revoked.key,
    expired: expired.key,
    read_only: await key(owner, { readOnly: true }),
  };
  return (role) => known[role];
}

function expectOne(count: number): void {
  if (count !== 1) throw new Error(`${count} keys were revoked`);
}

const DAY_MS = 86_400_000;

/** Makes articles of the organization; whatever isn't public of them holds the canary. */
function articleMaker({ article, comment, comments, db, reaction }: World, reader: { username: string }) {
  return async (author: { username: string }, state: State) => {
    const mark = state === "published" ? randomUUID().slice(0, 8) : CANARY;
    const slug = `${mark}-${randomUUID().slice(0, 8)}`;
    const made = await article(author, {
      title: `${mark} ${slug}`,
      slug,
      description: `${mark} in few words`,
      body_markdown: `Some ${mark} words.`,
      tags: [mark],
      series: mark,
      canonical_url: `https://elsewhere.example/${slug}`,
      main_image: `https://pictures.example/${slug}.png`,
      video_source_url: `https://videos.example/${slug}.mp4`,
      organization: ORGANIZATION,
      ...FIELDS[state](),
    });
    // A saved article may not be public any more.
    await reaction({ user: reader.username, article: slug, category: "readinglist" });
    const { code } = await comment(author, { article: slug, body_markdown: `A ${mark} comment.` });
    const unseen = {
      author: reader.username,
      article: slug,
      body_markdown: `A ${CANARY} comment.`,
      parent: code,
    };
    await comments([
      { ...unseen, deleted: true },
      { ...unseen, author: author.username, hidden: true },
    ]);
    if (made.state === state) return { ...made, code };
    // Articles of a record are never unpublished: they were published once, and are no longer.
    await db.updateTable("articles").set({ state }).where("id", "=", made.id).execute();
    return { ...made, code, state };
  };
}

/** Makes listings of the organization, published or not; those that aren't hold the canary. */
function listingMaker({ listing }: World) {
  return async (author: { username: string }, state: State) => {
    const published = state === "published";
    const mark = published ? randomUUID().slice(0, 8) : CANARY;
    const slug = `${mark}-${randomUUID().slice(0, 8)}`;
    const text = { title: `${mark} ${slug}`, body_markdown: `Some ${mark} words.`, location: mark };
    const made = await listing(author, {
      ...text,
      slug,
      tags: [mark],
      organization: ORGANIZATION,
      published,
    });
    return { id: made.id, slug, state };
  };
}

/** Replaces the endpoints of an owner, who may have few, by one with a delivery. */
async function webhookOf({ db, webhook, delivery }: World, owner: { id: number; username: string }) {
  await db.deleteFrom("webhook_endpoints").where("user_id", "=", owner.id).execute();
  const target_url = `https://hooks.example/${CANARY}/${randomUUID()}`;
  const { id } = await webhook(owner, { target_url, source: CANARY });
  const deliveryId = await delivery({ id }, { payload: CANARY });
  return { id, slug: "", deliveryId };
}

const FIELDS: Record<State, () => object> = {
  published: () => ({}),
  draft: () => ({ published: false }),
  scheduled: () => ({ published_at: new Date(Date.now() + DAY_MS).toISOString() }),
  unpublished: () => ({ published: false, first_published_at: new Date(Date.now() - DAY_MS).toISOString() }),
};
