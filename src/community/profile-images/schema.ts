import { type Static, Type } from "typebox";
import { url } from "../../http/schema.ts";

export const ProfileImage = Type.Object(
  {
    type_of: Type.Literal("profile_image", { description: "The type of the resource." }),
    image_of: Type.Enum(["user", "organization"], { description: "The type of the image's owner." }),
    profile_image: url("The URL of the image, 640 by 640 pixels."),
    profile_image_90: url("The URL of the image, 90 by 90 pixels."),
  },
  { title: "ProfileImage", description: "The profile image of a user or an organization." },
);
export type ProfileImage = Static<typeof ProfileImage>;

export const ProfileName = Type.Object({
  username: Type.String({
    description: "The username of the user or organization, in any case.",
    examples: ["mara_lindqvist"],
  }),
});

export const IMAGE_EXAMPLE: ProfileImage = {
  type_of: "profile_image",
  image_of: "user",
  profile_image: "https://community.example/assets/identicons/user-1-640.png",
  profile_image_90: "https://community.example/assets/identicons/user-1-90.png",
};
