import { type Static, Type } from "typebox";
import { findPublisher } from "../articles/subjects.ts";
import { url } from "../../http/schema.ts";
import { notFound } from "../../platform/errors.ts";
import { operations, read } from "../../http/operation.ts";
import { found } from "../../http/responses.ts";
import { addressOf, type Pictured } from "../../content/images/profile-picture.ts";

const ProfileImage = Type.Object(
  {
    type_of: Type.Literal("profile_image", { description: "The type of the resource." }),
    image_of: Type.Enum(["user", "organization"], { description: "The type of the image's owner." }),
    profile_image: url("The URL of the image, 640 by 640 pixels."),
    profile_image_90: url("The URL of the image, 90 by 90 pixels."),
  },
  { title: "ProfileImage", description: "The profile image of a user or an organization." },
);
type ProfileImage = Static<typeof ProfileImage>;

const ProfileName = Type.Object({
  username: Type.String({
    description: "The username of the user or organization, in any case.",
    examples: ["mara_lindqvist"],
  }),
});

const IMAGE_EXAMPLE: ProfileImage = {
  type_of: "profile_image",
  image_of: "user",
  profile_image: "https://community.example/assets/identicons/user-1-640.png",
  profile_image_90: "https://community.example/assets/identicons/user-1-90.png",
};

export const profileImageRoutes = operations("images", [
  read({
    path: "GET /api/profile_images/:username",
    id: "getProfileImage",
    access: "public",
    summary: "Get the profile image of a user or organization",
    description: "The profile image. Without one, a generated pattern.",
    params: ProfileName,
    answers: found(ProfileImage, "the URLs of the image", IMAGE_EXAMPLE, { refusals: [422] }),
    async run({ params }, { db, baseUrl }) {
      const pictured = await findPublisher(db.replica, params.username);
      if (!pictured) throw notFound();
      return { body: JSON.stringify(profileImage(pictured, baseUrl)) };
    },
  }),
]);

function profileImage(pictured: Pictured, baseUrl: string): ProfileImage {
  return {
    type_of: "profile_image",
    image_of: pictured.kind,
    profile_image: addressOf(pictured, 640, baseUrl),
    profile_image_90: addressOf(pictured, 90, baseUrl),
  };
}
