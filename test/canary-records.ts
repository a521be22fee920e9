/** A word that stands nowhere else. None is the beginning of another. */
export const say = (what: string): string => `zcanary${what}q`;

export const WORD = /zcanary[a-z]+q/gi;

/** What no column takes, so it is nowhere even before the person goes. */
export const NEVER_STORED = ["browser", "path", "metadata", "filename", "password", "key", "referrer"].map(
  say,
);

export const USERNAME = say("user");
const EMAIL = `${say("mail")}@canary.example`;
export const at = (what: string, path = "") => `https://${say(what)}.example/${path}`;

/** Every field of every record that a person may own. */
export const RECORDS = [
  { type: "user", username: "bob", name: "Bob", role: "admin" },
  {
    type: "user",
    username: USERNAME,
    name: `Canary ${say("name")}`,
    email: EMAIL,
    password: say("password"),
    summary: say("summary"),
    location: say("location"),
    website_url: at("website"),
    microblog_username: say("microblog"),
    codehost_username: say("codehost"),
    profile_image: at("portrait", "a.png"),
    api_keys: [{ key: `${say("key")} of the canary`, description: say("keyname") }],
  },
  {
    type: "organization",
    username: say("group"),
    name: say("groupname"),
    summary: say("groupsummary"),
    location: say("grouplocation"),
    url: at("groupsite"),
    microblog_username: say("groupmicroblog"),
    codehost_username: say("groupcodehost"),
    tech_stack: say("stack"),
    tag_line: say("tagline"),
    story: say("story"),
    profile_image: at("logo", "a.png"),
    members: [{ username: USERNAME, role: "admin" }],
  },
  {
    type: "organization",
    username: "guild",
    name: "Guild",
    members: [
      { username: USERNAME, role: "admin" },
      { username: "bob", role: "member" },
    ],
  },
  {
    type: "article",
    slug: "by-bob",
    author: "bob",
    title: "Of wool",
    body_markdown: "Wool and words.",
    tags: ["wool"],
    organization: "guild",
  },
  {
    type: "article",
    slug: say("slug"),
    author: USERNAME,
    title: say("title"),
    description: say("description"),
    // The vocabulary has words that stand four times in a body.
    body_markdown: `Wool and ${`${say("body")} `.repeat(4)}, with @bob.`,
    tags: ["wool", say("tag")],
    series: say("series"),
    canonical_url: at("canonical"),
    main_image: at("cover", "a.png"),
    organization: say("group"),
  },
  {
    type: "article",
    slug: say("draftslug"),
    author: USERNAME,
    title: say("drafttitle"),
    body_markdown: say("draft"),
    tags: [say("drafttag")],
    published: false,
  },
  { type: "retired_path", path: `/${USERNAME}/${say("oldpath")}`, article: "by-bob" },
  { type: "retired_path", path: `/elsewhere/${say("ownpath")}`, article: say("slug") },
  { type: "follow", user: "bob", followed_user: USERNAME },
  { type: "follow", user: USERNAME, tag: say("tag") },
  { type: "comment", ref: "a", author: USERNAME, article: "by-bob", body_markdown: say("comment") },
  { type: "comment", author: "bob", article: "by-bob", parent: "a", body_markdown: "An answer" },
  {
    type: "comment",
    author: USERNAME,
    article: "by-bob",
    body_markdown: say("deletedcomment"),
    deleted: true,
  },
  { type: "comment", author: "bob", article: say("slug"), body_markdown: "Under the canary's" },
  { type: "reaction", user: USERNAME, article: "by-bob", category: "readinglist" },
  {
    type: "listing",
    slug: say("listingslug"),
    author: USERNAME,
    title: say("listing"),
    body_markdown: say("listingbody"),
    category: "misc",
    tags: [say("listingtag")],
    location: say("listingplace"),
  },
  { type: "feed_source", user: USERNAME, url: at("feed", "rss") },
  {
    type: "feed_item",
    user: USERNAME,
    feed: at("feed", "rss"),
    marks: [say("mark")],
    title: say("item"),
    skipped: say("reason"),
  },
  {
    type: "page_view",
    article: "by-bob",
    on: "2026-02-01",
    user: USERNAME,
    referrer: `https://elsewhere.example/${say("referrer")}`,
    read_time_seconds: 9,
  },
  { type: "page_view", article: say("slug"), on: "2026-02-01", referrer: at("reader"), count: 3 },
  {
    type: "webhook_endpoint",
    user: USERNAME,
    source: say("source"),
    target_url: at("target"),
    events: ["article_created"],
  },
  {
    type: "webhook_endpoint",
    user: "bob",
    source: "bob",
    target_url: "https://bob.example/",
    events: ["comment_created", "follow_created", "reaction_created"],
  },
  { type: "setting", key: "contact_email", value: EMAIL },
  { type: "setting", key: "about_page", value: `Written by @${USERNAME}.` },
];
