import { findPublisher } from "../articles/subjects.ts";
import { notFound } from "../../platform/errors.ts";
import { operations, read } from "../../http/operation.ts";
import { found } from "../../http/responses.ts";
import { addressOf, type Pictured } from "../../content/images/profile-picture.ts";
import { IMAGE_EXAMPLE, ProfileImage, ProfileName } from "./schema.ts";

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
