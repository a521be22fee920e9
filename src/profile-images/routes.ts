import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { CACHE_HEADERS, errors, ok } from "../http/schema.ts";
import * as organizations from "../organizations/organizations.ts";
import * as users from "../users/users.ts";
import { ProfileImage, ProfileName } from "./schema.ts";
import * as view from "./view.ts";

const EXAMPLE: ProfileImage = {
  type_of: "profile_image",
  image_of: "user",
  profile_image: "https://community.example/assets/identicons/user-41-640.png",
  profile_image_90: "https://community.example/assets/identicons/user-41-90.png",
};

export function profileImageRoutes(app: App, { config, db }: Context): void {
  app.get(
    "/api/profile_images/:username",
    {
      config: { access: "public" },
      schema: {
        operationId: "getProfileImage",
        summary: "Get the profile picture of a user or organization",
        description: "The profile picture. Without one, a generated pattern.",
        tags: ["images"],
        params: ProfileName,
        response: {
          200: ok(ProfileImage, {
            description: "The URLs of the picture.",
            example: EXAMPLE,
            headers: CACHE_HEADERS,
          }),
          ...errors(304, 401, 404, 422, 429, 500, 503),
        },
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const { username } = request.params;
        const pictured =
          (await users.pictureOf(db.replica, username)) ??
          (await organizations.pictureOf(db.replica, username));
        if (!pictured) throw notFound();
        return { body: JSON.stringify(view.profileImage(pictured, config.baseUrl)) };
      }),
  );
}
