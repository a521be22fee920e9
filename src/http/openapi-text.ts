/** What the description of the interface says beside its operations. */
export const INFO = {
  title: "Article Publishing Community API",
  license: { name: "MIT", identifier: "MIT" },
  description: `The public HTTP/JSON interface of an Inkstone community.

**Answers** are JSON of the type \`application/vnd.service.api-v1+json\`; who asks for \`application/json\` gets that,
except from search. Refusals are \`{"error": "...", "status": 422}\`.

**Keys** are sent in the header \`api-key\`. On public operations a wrong key is ignored; elsewhere it is a 401, like
everything that a key may not do.

**Parameters** are read strictly: a whole number is written in digits and nothing else; a blank parameter counts as
absent; one given twice is a 422; unknown ones are ignored. Search counts its pages from 0, every other list from 1.

**Caching**: public answers have an \`ETag\`; sent back as \`If-None-Match\`, it makes an unchanged answer a 304.

**Limits**: \`RateLimit\` and \`RateLimit-Policy\` say what is left; a 429 says in \`Retry-After\` how long to wait.`,
};

export const TAGS = [
  { name: "articles", description: "Finding, reading and writing articles." },
  { name: "users", description: "People." },
  { name: "organizations", description: "Groups that people publish for." },
  { name: "follows", description: "Who follows whom, and what." },
  { name: "tags", description: "What articles are about." },
  { name: "comments", description: "What people say under articles and episodes." },
  { name: "podcasts", description: "What can be heard." },
  { name: "listings", description: "Classified advertisements." },
  { name: "reading list", description: "What somebody keeps to read later." },
  { name: "videos", description: "Articles with a video." },
  { name: "images", description: "Pictures of people and organizations, and for articles." },
  { name: "analytics", description: "What became of what somebody has published." },
  { name: "instance", description: "The community itself, and whether its server is well." },
];

export const SECURITY_SCHEMES = {
  apiKey: { type: "apiKey", in: "header", name: "api-key", description: "A key made by its owner." },
  healthCheckToken: {
    type: "apiKey",
    in: "header",
    name: "health-check-token",
    description: "The server's HEALTH_CHECK_TOKEN. A request from the same computer needs none.",
  },
} as const;
