import { type Static, Type } from "typebox";
import { MAX_RECORD_ID } from "../records/identity.ts";
import { ROLES } from "./columns.ts";

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const Moment = Type.Optional(Type.String({ format: "date-time" }));

export const KeyRecord = Type.Object({
  key: Type.Optional(Type.String({ minLength: 16, maxLength: 1_000 })),
  sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$", description: "64 digits 0-9 and a-f" })),
  description: Type.String({ minLength: 1, maxLength: 300 }),
  read_only: Type.Optional(Type.Boolean({ default: false })),
  expires_at: Moment,
});
export type KeyRecord = Static<typeof KeyRecord>;

export const UserRecord = Type.Object({
  username: Type.String(),
  name: Type.String(),
  id: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RECORD_ID })),
  email: text(254),
  role: Type.Optional(Type.Enum([...ROLES], { default: "member" })),
  summary: text(2_000),
  location: text(200),
  website_url: text(2_000),
  microblog_username: text(100),
  codehost_username: text(100),
  profile_image: text(2_000),
  created_at: Moment,
  suspended: Type.Optional(Type.Boolean({ default: false })),
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  password_hash: Type.Optional(
    Type.String({ pattern: "^\\$[!-~]{1,500}$", description: "a hash that begins with $" }),
  ),
  api_keys: Type.Optional(Type.Array(KeyRecord, { maxItems: 20 })),
});
export type UserRecord = Static<typeof UserRecord>;
