import { Type } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorld, type World } from "../../test/world.ts";
let world: World;
beforeAll(async () => { world = await startWorld(); });
afterAll(() => world.stop());
test("x", async () => {
  console.log((await world.get("/nope")));
  console.log((await world.get("/assets/default-user.png")).status);
  console.log((await world.get("/api/docs/")).headers);
  console.log((await world.request({method:"POST", url:"/api/openapi.json"})));
  console.log((await world.request({method:"TRACE", url:"/api/openapi.json"})).status);
  console.log((await world.request({method:"OPTIONS", url:"/api/openapi.json"})));
  console.log((await world.get("/"+"a".repeat(600))).status, (await world.get("/%FF")), (await world.get("/"+"a".repeat(9000))).status);
  console.log((await world.get("/api/openapi.json")).text.slice(0,1500));
});
