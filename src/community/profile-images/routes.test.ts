import { describe, expect, test } from "vitest";
import { worldForAll } from "../../../test/world.ts";

describe("GET /api/profile_images/{username}", () => {
  const world = worldForAll();

  test("says where the picture of a person or an organization is, in any case", async () => {
    const lena = await world.user({ username: "lena" });
    const lab = await world.organization({ username: "tinkerlab" });
    for (const [name, kind, id] of [
      ["lena", "user", lena.id],
      ["LENA", "user", lena.id],
      ["TinkerLab", "organization", lab.id],
    ] as const) {
      const { status, body, headers } = await world.get(`/api/profile_images/${name}`);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          type_of: "profile_image",
          image_of: kind,
          profile_image: `https://ink.example/assets/identicons/${kind}-${id}-640.png`,
          profile_image_90: `https://ink.example/assets/identicons/${kind}-${id}-90.png`,
        },
      });
      expect(headers["cache-control"]).toBe("public, no-cache");
      expect(headers["access-control-allow-origin"]).toBe("*");
    }
  });

  test("shows pictures that were given, in their sizes", async () => {
    const name = "0123456789abcdef0123456789abcdef";
    await world.user({ username: "own", profile_image: `/uploads/${name}.png` });
    await world.organization({ username: "far", profile_image: "https://elsewhere.example/a.png" });
    expect((await world.get("/api/profile_images/own")).body).toMatchObject({
      profile_image: `https://ink.example/uploads/${name}-640.png`,
      profile_image_90: `https://ink.example/uploads/${name}-90.png`,
    });
    expect((await world.get("/api/profile_images/far")).body).toMatchObject({
      image_of: "organization",
      profile_image: "https://elsewhere.example/a.png",
      profile_image_90: "https://elsewhere.example/a.png",
    });
  });

  test.each(["nobody", "1", "a", "%00", "len%E2%84%AA", "lena%2Fx"])(
    "%s is no person's name",
    async (name) => {
      const { status, body } = await world.get(`/api/profile_images/${name}`);
      expect({ status, body }).toEqual({ status: 404, body: { error: "not found", status: 404 } });
    },
  );
});
