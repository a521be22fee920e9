import { type Static, Type } from "typebox";
import { count, idParameter, orNull, text, textOrNull, url } from "../../http/schema.ts";

const common = {
  name: text("The display name."),
  username: text("The name in URLs."),
  microblog_username: textOrNull("The username on a microblogging service."),
  codehost_username: textOrNull("The username on a code hosting service."),
  website_url: orNull(url("The URL of the user's website.")),
};

export const Author = Type.Object(
  {
    ...common,
    user_id: count("The id of the user."),
    profile_image: text("The URL of the profile image, 640 by 640 pixels."),
    profile_image_90: text("The URL of the profile image, 90 by 90 pixels."),
  },
  { title: "Author", description: "The user who has written something." },
);

export const User = Type.Object(
  {
    type_of: Type.Literal("user", { description: "The type of the resource." }),
    id: count("The id of the user."),
    ...common,
    summary: textOrNull("A short biography."),
    location: textOrNull("Where the user lives."),
    joined_at: text(
      "The date of registration for display: `Jan  3, 2025`, with the day padded to two columns.",
    ),
    profile_image: text("The URL of the profile image, 320 by 320 pixels."),
  },
  { title: "User", description: "A user with their profile." },
);
export type User = Static<typeof User>;

export const UserId = Type.Object({ id: idParameter("The id of the user.", 1) });

export const UserByUsername = Type.Object({
  url: Type.String({ description: "The username, in any case.", examples: ["mara_lindqvist"] }),
});

export const AUTHOR_EXAMPLE: Static<typeof Author> = {
  name: "Mara Lindqvist",
  username: "mara_lindqvist",
  microblog_username: null,
  codehost_username: null,
  user_id: 1,
  website_url: "https://mara.example/",
  profile_image: "https://community.example/assets/identicons/user-1-640.png",
  profile_image_90: "https://community.example/assets/identicons/user-1-90.png",
};

export const USER_EXAMPLE: User = {
  type_of: "user",
  id: 1,
  username: "mara_lindqvist",
  name: "Mara Lindqvist",
  microblog_username: null,
  codehost_username: null,
  summary: "Bookbinder by day, keeper of this server by night.",
  location: "Umeå, Sweden",
  website_url: "https://mara.example/",
  joined_at: "Mar  2, 2022",
  profile_image: "https://community.example/assets/identicons/user-1-320.png",
};
