import { addressOf, type Pictured } from "../images/profile-picture.ts";
import type { ProfileImage } from "./schema.ts";

export function profileImage(pictured: Pictured, baseUrl: string): ProfileImage {
  return {
    type_of: "profile_image",
    image_of: pictured.kind,
    profile_image: addressOf(pictured, 640, baseUrl),
    profile_image_90: addressOf(pictured, 90, baseUrl),
  };
}
