import type { User } from "./schema.ts";

/** A person as the description of the interface shows them. */
export const USER_EXAMPLE: User = {
  type_of: "user",
  id: 41,
  username: "lena",
  name: "Lena Ortiz",
  microblog_username: null,
  codehost_username: "lenaortiz",
  summary: "I fix looms",
  location: "Bilbao",
  website_url: null,
  joined_at: "Jan  3, 2025",
  profile_image: "https://community.example/assets/identicons/user-41-320.png",
};
