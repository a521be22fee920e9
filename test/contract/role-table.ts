import { ROLES, type Role, STATES, type State } from "./cast.ts";

/** The answers of one operation about one thing, to all roles. */
export interface Row {
  operation: string;
  /** Undefined when the request is about nothing in particular. */
  state: State | undefined;
  expected: Record<Role, number>;
}

/**
 * Every operation, the state of its subject (a webhook endpoint has but one), and the status for anonymous, stranger,
 * owner, member, org_admin, moderator, admin, suspended, revoked, expired, read_only: the organization is the
 * article's, and the last four are its owner. The owner has written the comment too, and the stranger has saved the
 * article. A hidden article must look like a missing one.
 */
const TABLE = `
GET /api/articles/search             |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/articles                    |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/articles/latest             |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/articles/{id}               | published   | 200 200 200 200 200 200 200 200 200 200 200
GET /api/articles/{id}               | draft       | 404 404 200 404 200 404 200 404 404 404 200
GET /api/articles/{id}               | scheduled   | 404 404 200 404 200 404 200 404 404 404 200
GET /api/articles/{id}               | unpublished | 404 404 200 404 200 404 200 404 404 404 200
GET /api/articles/{username}/{slug}  | published   | 200 200 200 200 200 200 200 200 200 200 200
GET /api/articles/{username}/{slug}  | draft       | 404 404 200 404 200 404 200 404 404 404 200
GET /api/articles/by_path            | published   | 200 200 200 200 200 200 200 200 200 200 200
GET /api/articles/by_path            | draft       | 404 404 200 404 200 404 200 404 404 404 200
GET /api/articles/me                 |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/articles/me/published       |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/articles/me/unpublished     |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/articles/me/all             |             | 401 200 200 200 200 200 200 401 401 401 200
POST /api/articles                   |             | 401 201 201 201 201 201 201 401 401 401 401
PUT /api/articles/{id}               | published   | 401 404 200 404 404 404 200 401 401 401 401
PUT /api/articles/{id}               | draft       | 401 404 200 404 404 404 200 401 401 401 401
PUT /api/articles/{id}               | scheduled   | 401 404 200 404 404 404 200 401 401 401 401
PUT /api/articles/{id}               | unpublished | 401 404 200 404 404 404 200 401 401 401 401
PUT /api/articles/{id}/unpublish     | published   | 401 401 204 401 401 204 204 401 401 401 401
PUT /api/articles/{id}/unpublish     | draft       | 401 404 204 404 401 404 204 401 401 401 401
PUT /api/articles/{id}/unpublish     | scheduled   | 401 404 204 404 401 404 204 401 401 401 401
PUT /api/articles/{id}/unpublish     | unpublished | 401 404 204 404 401 204 204 401 401 401 401
DELETE /api/articles/{id}            | published   | 401 404 204 404 404 404 204 401 401 401 401
DELETE /api/articles/{id}            | draft       | 401 404 204 404 404 404 204 401 401 401 401
DELETE /api/articles/{id}            | scheduled   | 401 404 204 404 404 404 204 401 401 401 401
POST /api/image_uploads              |             | 401 201 201 201 201 201 201 401 401 401 401
GET /api/users/me                    |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/users/{id}                  |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/users/by_username           |             | 200 200 200 200 200 200 200 200 200 200 200
PUT /api/users/{id}/spam             |             | 401 401 401 401 401 204 204 401 401 401 401
DELETE /api/users/{id}/spam          |             | 401 401 401 401 401 204 204 401 401 401 401
DELETE /api/users/{id}/suspend       |             | 401 401 401 401 401 204 204 401 401 401 401
PUT /api/users/{id}/unpublish        |             | 401 401 401 401 401 204 204 401 401 401 401
PUT /api/users/{id}/suspend          |             | 401 401 401 401 401 204 204 401 401 401 401
GET /api/followers/users             |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/follows                     |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/follows/tags                |             | 401 200 200 200 200 200 200 401 401 401 200
PUT /api/follows/{kind}/{name}       |             | 401 204 204 204 204 204 204 401 401 401 401
DELETE /api/follows/{kind}/{name}    |             | 401 204 204 204 204 204 204 401 401 401 401
GET /api/organizations               |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/organizations/{username}    |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/organizations/{username}/users    |       | 200 200 200 200 200 200 200 200 200 200 200
GET /api/organizations/{username}/articles |       | 200 200 200 200 200 200 200 200 200 200 200
GET /api/analytics/totals            |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/analytics/historical        |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/analytics/past_day          |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/analytics/referrers         |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/admin/config                |             | 401 401 401 401 401 401 200 401 401 401 401
GET /api/profile_images/{username}   |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/comments                    | published   | 200 200 200 200 200 200 200 200 200 200 200
GET /api/comments                    | draft       | 404 404 404 404 404 404 404 404 404 404 404
GET /api/comments                    | scheduled   | 404 404 404 404 404 404 404 404 404 404 404
GET /api/comments                    | unpublished | 404 404 404 404 404 404 404 404 404 404 404
GET /api/comments/{id_code}          | published   | 200 200 200 200 200 200 200 200 200 200 200
GET /api/comments/{id_code}          | draft       | 404 404 404 404 404 404 404 404 404 404 404
GET /api/comments/{id_code}          | scheduled   | 404 404 404 404 404 404 404 404 404 404 404
GET /api/comments/{id_code}          | unpublished | 404 404 404 404 404 404 404 404 404 404 404
POST /api/comments                   | published   | 401 201 201 201 201 201 201 401 401 401 401
POST /api/comments                   | draft       | 401 404 404 404 404 404 404 401 401 401 401
POST /api/comments                   | scheduled   | 401 404 404 404 404 404 404 401 401 401 401
POST /api/comments                   | unpublished | 401 404 404 404 404 404 404 401 401 401 401
PUT /api/comments/{id_code}          | published   | 401 404 200 404 404 404 404 401 401 401 401
PUT /api/comments/{id_code}          | draft       | 401 404 404 404 404 404 404 401 401 401 401
PUT /api/comments/{id_code}          | scheduled   | 401 404 404 404 404 404 404 401 401 401 401
PUT /api/comments/{id_code}          | unpublished | 401 404 404 404 404 404 404 401 401 401 401
DELETE /api/comments/{id_code}       | published   | 401 404 204 404 404 204 204 401 401 401 401
DELETE /api/comments/{id_code}       | draft       | 401 404 204 404 404 204 204 401 401 401 401
DELETE /api/comments/{id_code}       | scheduled   | 401 404 204 404 404 204 204 401 401 401 401
DELETE /api/comments/{id_code}       | unpublished | 401 404 204 404 404 204 204 401 401 401 401
GET /api/podcast_episodes            |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/readinglist                 |             | 401 200 200 200 200 200 200 401 401 401 200
PUT /api/readinglist/{article_id}    | published   | 401 204 204 204 204 204 204 401 401 401 401
PUT /api/readinglist/{article_id}    | draft       | 401 404 404 404 404 404 404 401 401 401 401
PUT /api/readinglist/{article_id}    | scheduled   | 401 404 404 404 404 404 404 401 401 401 401
PUT /api/readinglist/{article_id}    | unpublished | 401 404 404 404 404 404 404 401 401 401 401
DELETE /api/readinglist/{article_id} | published   | 401 204 204 204 204 204 204 401 401 401 401
DELETE /api/readinglist/{article_id} | draft       | 401 204 404 404 404 404 404 401 401 401 401
DELETE /api/readinglist/{article_id} | scheduled   | 401 204 404 404 404 404 404 401 401 401 401
DELETE /api/readinglist/{article_id} | unpublished | 401 204 404 404 404 404 404 401 401 401 401
GET /api/notifications               |             | 401 200 200 200 200 200 200 401 401 401 200
GET /api/videos                      |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/organizations/{username}/listings |       | 200 200 200 200 200 200 200 200 200 200 200
GET /api/listings                    |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/listings/category/{category} |            | 200 200 200 200 200 200 200 200 200 200 200
GET /api/listings/{id}               | published   | 200 200 200 200 200 200 200 200 200 200 200
GET /api/listings/{id}               | unpublished | 404 404 200 404 200 404 404 404 404 404 200
POST /api/listings                   |             | 401 201 201 201 201 201 201 401 401 401 401
PUT /api/listings/{id}               | published   | 401 401 200 401 200 401 401 401 401 401 401
PUT /api/listings/{id}               | unpublished | 401 404 200 404 200 404 404 401 401 401 401
GET /api/webhooks                    |             | 401 200 200 200 200 200 200 401 401 401 200
POST /api/webhooks                   |             | 401 201 201 201 201 201 201 401 401 401 401
GET /api/webhooks/{id}               | published   | 401 404 200 404 404 404 404 401 401 401 200
DELETE /api/webhooks/{id}            | published   | 401 404 204 404 404 404 404 401 401 401 401
GET /api/webhooks/{id}/deliveries    | published   | 401 404 200 404 404 404 404 401 401 401 200
POST /api/webhooks/{id}/deliveries/{delivery_id}/retry | published | 401 404 202 404 404 404 404 401 401 401 401
POST /api/webhooks/{id}/ping         | published   | 401 404 202 404 404 404 404 401 401 401 401
POST /api/webhooks/{id}/rotate_secret | published  | 401 404 200 404 404 404 404 401 401 401 401
POST /api/webhooks/{id}/enable       | published   | 401 404 202 404 404 404 404 401 401 401 401
GET /api/tags                        |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api                             |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/instance                    |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/health_checks/app           |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/health_checks/database      |             | 200 200 200 200 200 200 200 200 200 200 200
GET /api/health_checks/cache         |             | 200 200 200 200 200 200 200 200 200 200 200
GET /healthz                         |             | 200 200 200 200 200 200 200 200 200 200 200
GET /readyz                          |             | 200 200 200 200 200 200 200 200 200 200 200
GET /metrics                         |             | 200 200 200 200 200 200 200 200 200 200 200
`;

/** The operations of a private community that need no key. */
export const OPEN = new Set([
  "GET /api",
  "GET /api/instance",
  "GET /api/health_checks/app",
  "GET /api/health_checks/database",
  "GET /api/health_checks/cache",
  "GET /healthz",
  "GET /readyz",
  "GET /metrics",
]);

export const ROWS: readonly Row[] = TABLE.trim().split("\n").map(parse);

/** The changes of a row where only admins write articles. */
export const CREATION_BY_ADMINS = parse(
  "POST /api/articles                   |             | 401 401 401 401 401 401 201 401 401 401 401",
);

function parse(line: string): Row {
  const [operation = "", of = "", statuses = ""] = line.split("|").map((part) => part.trim());
  const numbers = statuses.split(" ").map(Number);
  const state = STATES.find((one) => one === of);
  if (numbers.length !== ROLES.length || (state ?? "") !== of) throw new Error(`Not a row: ${line}`);
  const expected = Object.fromEntries(ROLES.map((role, index) => [role, numbers[index]])) as Row["expected"];
  return { operation, state, expected };
}
