/** Of what there are as many at every size, so that answers about it are equally long; they are the first by number. */
export const FIXED = {
  /** People whom most others follow, with tags and a reading list of their own and a key each. */
  prominent: 5,
  tagsFollowed: 20,
  saved: 100,
  /** This many articles have this many comments. */
  busy: { articles: 4, comments: 1_000 },
  quiet: { articles: 100, comments: 10 },
  /** Organizations that have a share of everything, which grows with the site. */
  largeOrganizations: 5,
} as const;

/** The sizes of a site, by the number of people. */
export interface Shape {
  users: number;
  articles: number;
  comments: number;
  listings: number;
  organizations: number;
  tags: number;
}

/** Follows, reactions and comments of each person. */
export const PER_USER = 10;

/** Fewer people couldn't write the comments and be the followers that every size must have. */
export const LEAST_USERS = 1_000;

export function shapeOf(users: number): Shape {
  return {
    users,
    articles: users,
    comments: users * PER_USER,
    listings: users,
    organizations: Math.floor(users / 20),
    tags: Math.min(10_000, Math.floor(users / 10)),
  };
}

export function username(id: number): string {
  return `person_${id}`;
}

export function organizationName(id: number): string {
  return `org_${id}`;
}

const SMALL_ORGANIZATION = 5;

/** How many members an organization has; a large one has a tenth of all people. */
export function memberCount({ users }: Shape, organization: number): number {
  return organization <= FIXED.largeOrganizations ? Math.floor(users / 10) : SMALL_ORGANIZATION;
}

/** The number of an organization's member, from place 0. No two places have the same one. */
export function memberOf({ users }: Shape, organization: number, place: number): number {
  const isLarge = organization <= FIXED.largeOrganizations;
  const step = isLarge ? organization + place * 10 : organization * SMALL_ORGANIZATION + place;
  return (step % users) + 1;
}

const YEARS_MS = 3 * 365 * 86_400_000;

/** When number `id` of `count` was made: at an even pace over three years up to now. */
export function dateOf(id: number, count: number, until: Date): string {
  return new Date(until.getTime() - YEARS_MS * (1 - id / (count + 1))).toISOString();
}
