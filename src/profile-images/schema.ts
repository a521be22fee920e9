import { type Static, Type } from "typebox";

export const ProfileImage = Type.Object(
  {
    type_of: Type.Literal("profile_image"),
    image_of: Type.Enum(["user", "organization"], { description: "Whose it is." }),
    profile_image: Type.String({ format: "uri", description: "A picture of 640 by 640 pixels." }),
    profile_image_90: Type.String({ format: "uri", description: "The same picture, 90 by 90 pixels." }),
  },
  { title: "ProfileImage" },
);
export type ProfileImage = Static<typeof ProfileImage>;

export const ProfileName = Type.Object({
  username: Type.String({
    description: "The username of a person or an organization; case makes no difference.",
    examples: ["lena"],
  }),
});
