import type { Random } from "../corpus/random.ts";
import { capitalise } from "../corpus/words.ts";
import { dateOf, FIXED, memberCount, memberOf, organizationName, type Shape, username } from "./shape.ts";

export interface Making {
  shape: Shape;
  random: Random;
  vocabulary: readonly string[];
  /** When the newest row was made. */
  until: Date;
}

/** One of this many people is suspended. */
const SUSPENDED = 100;

export function* handles({ shape }: Making): Generator<object> {
  for (let id = 1; id <= shape.users; id += 1) yield { username: username(id), kind: "user" };
  for (let id = 1; id <= shape.organizations; id += 1) {
    yield { username: organizationName(id), kind: "organization" };
  }
}

export function* users({ shape, random, vocabulary, until }: Making): Generator<object> {
  for (let id = 1; id <= shape.users; id += 1) {
    yield {
      id,
      username: username(id),
      kind: "user",
      name: `${capitalise(random.pick(vocabulary))} ${capitalise(random.pick(vocabulary))}`,
      role: "member",
      suspended: id > FIXED.prominent && id % SUSPENDED === 0,
      summary: `${capitalise(random.pick(vocabulary))} and ${random.pick(vocabulary)}`,
      origin: "import",
      created_at: dateOf(id, shape.users, until),
    };
  }
}

export function* organizations({ shape, random, vocabulary, until }: Making): Generator<object> {
  for (let id = 1; id <= shape.organizations; id += 1) {
    yield {
      id,
      username: organizationName(id),
      kind: "organization",
      name: `${capitalise(random.pick(vocabulary))} & ${capitalise(random.pick(vocabulary))}`,
      summary: `${capitalise(random.pick(vocabulary))} for ${random.pick(vocabulary)}`,
      created_at: dateOf(id, shape.organizations, until),
    };
  }
}

export function* members({ shape }: Making): Generator<object> {
  for (let id = 1; id <= shape.organizations; id += 1) {
    for (let place = 0; place < memberCount(shape, id); place += 1) {
      const role = place === 0 ? "admin" : "member";
      yield { organization_id: id, user_id: memberOf(shape, id, place), role };
    }
  }
}

export function* tags({ shape, vocabulary }: Making): Generator<object> {
  for (let id = 1; id <= shape.tags; id += 1) {
    yield { id, name: tagName(id, vocabulary), articles_count: 0 };
  }
}

export function tagName(id: number, vocabulary: readonly string[]): string {
  return vocabulary[id] as string;
}
