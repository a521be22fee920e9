import type { Static } from "typebox";
import type { Author, User } from "./schema.ts";

export const AUTHOR_EXAMPLE: Static<typeof Author> = {
  name: "Lena Ortiz",
  username: "lena",
  microblog_username: null,
  codehost_username: "lenaortiz",
  user_id: 41,
  website_url: null,
  profile_image: "https://community.example/assets/identicons/user-41-640.png",
  profile_image_90: "https://community.example/assets/identicons/user-41-90.png",
};

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
