import { Type } from "typebox";
import { invalid } from "../../platform/errors.ts";
import * as organizations from "../organizations/organizations.ts";
import { fromIso, givenOf, recordType } from "../records/driver.ts";
import { byId } from "../records/pages.ts";
import { Moment, OptionalText, Text } from "../records/schema.ts";
import * as tags from "../tags/tags.ts";
import * as users from "../users/users.ts";
import * as queries from "./queries.ts";

const FollowRecord = Type.Object({
  user: Text,
  followed_user: OptionalText,
  organization: OptionalText,
  tag: OptionalText,
  points: Type.Optional(Type.Number({ minimum: -1_000_000, maximum: 1_000_000, default: 1 })),
  created_at: Moment,
});

const KINDS = ["followed_user", "organization", "tag"] as const;

export const followRecords = recordType({
  type: "follow",
  schema: FollowRecord,
  keyOf: (fields) => {
    const targets = KINDS.flatMap((kind) => fields[kind] ?? []).map((name) => name.toLowerCase());
    return [fields.user.toLowerCase(), ...targets].join(" → ");
  },
  table: "follows",
  check: (fields) => {
    const targets = KINDS.filter((kind) => fields[kind] !== undefined);
    if (targets.length !== 1) throw invalid(`a follow must have one of ${KINDS.join(", ")}`);
  },
  references: {
    user: users.byUsername,
    followed_user: users.byUsername,
    organization: { ...organizations.byUsername, noun: "an organization" },
    tag: tags.byName,
  },
  key: ({ ids }) => {
    if (ids.followed_user === ids.user) throw invalid("followed_user must be another user than user");
    return {
      follower_id: ids.user,
      followed_user_id: ids.followed_user ?? null,
      organization_id: ids.organization ?? null,
      tag_id: ids.tag ?? null,
    };
  },
  find: queries.findAmong,
  columns: ({ fields }) => givenOf(fields, { points: Number, created_at: fromIso }),
  defaults: (now) => ({ points: 1, created_at: now }),
  skipsConflicts: true,
  read: byId(queries.listAfter),
});
