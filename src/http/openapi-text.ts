export const INFO = {
  title: "Article Publishing Community API",
  license: { name: "MIT", identifier: "MIT" },
  description: `The public HTTP/JSON API of an Inkstone community.

**Answers** are JSON with the media type \`application/vnd.service.api-v1+json\`, or \`application/json\` for clients
that accept only that; search always answers the former. Errors are \`{"error": "...", "status": 422}\`.

**Keys** are sent in the \`api-key\` header. Public operations need no key and ignore a wrong one, unless the community
is private. Elsewhere, a missing or wrong key, or a missing permission, is 401.

**Parameters** are strict: an integer consists of digits only; a repeated parameter is 422; a blank one counts as
absent; unknown ones are ignored. Pages of search start from 0, pages of other lists from 1.

**Caching**: public answers carry an \`ETag\`. With \`If-None-Match\`, an unchanged answer is 304 without a body.

**Rate limits**: \`RateLimit\` and \`RateLimit-Policy\` state what is left; with a 429, \`Retry-After\` states the
seconds to wait.`,
};

export const TAGS = [
  { name: "articles", description: "Search, read and write articles." },
  { name: "users", description: "Users and their profiles." },
  { name: "organizations", description: "Organizations, their members and their articles." },
  { name: "follows", description: "Followers and followed tags." },
  { name: "tags", description: "Tags of articles." },
  { name: "comments", description: "Comments on articles and podcast episodes." },
  { name: "podcasts", description: "Podcast episodes." },
  { name: "listings", description: "Classified listings." },
  { name: "reading list", description: "Articles that the caller has saved." },
  { name: "videos", description: "Articles with a video." },
  { name: "images", description: "Profile pictures, and images for articles." },
  { name: "analytics", description: "Views, reactions, comments and follows of published articles." },
  { name: "webhooks", description: "Endpoints that receive events, and deliveries to them." },
  { name: "instance", description: "The community, and the health of its server." },
];

export const SECURITY_SCHEMES = {
  apiKey: { type: "apiKey", in: "header", name: "api-key", description: "An API key of a user." },
  healthCheckToken: {
    type: "apiKey",
    in: "header",
    name: "health-check-token",
    description: "The server's HEALTH_CHECK_TOKEN. Requests from the same computer don't need it.",
  },
  metricsToken: {
    type: "http",
    scheme: "bearer",
    description:
      "The server's METRICS_TOKEN. If it isn't set, requests from the same computer need no token.",
  },
} as const;
