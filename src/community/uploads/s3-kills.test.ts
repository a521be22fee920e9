import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cases } from "../../../test/setup.ts";
import { pngOf } from "../../../test/pictures.ts";
import { programForAll, urlOf } from "../../../test/commands.ts";
import { type S3Store, startS3Store } from "../../../test/s3-store.ts";
import { startServerProcess } from "../../../test/servers.ts";
import { until } from "../../../test/waiting.ts";

const site = programForAll();
let store: S3Store;
beforeAll(async () => void (store = await startS3Store()));
afterAll(() => store.stop());

function picture(): FormData {
  const form = new FormData();
  form.append("image", new Blob([new Uint8Array(pngOf(40, 30))]), "a.png");
  return form;
}

test("a killed server leaves no row of an upload whose file is not in the S3 store", async () => {
  const lena = ["user", "create", "--username", "lena", "--name", "Lena", "--with-key", "--json"];
  const { api_key: key } = JSON.parse((await site.inkstone(lena)).out) as { api_key: string };
  await site.inkstone(["settings", "set", "image_upload_limit", "100000"]);
  const settings = { ...store.env, RATE_LIMITS: "off" };
  const rows = async () => {
    const found = await site.database.db.selectFrom("uploads").select("name").execute();
    return found.map(({ name }) => `uploads/${name}`);
  };
  // A row that came first would be there without its file for a while.
  store.fault = async () => {
    await sleep(100);
    return false;
  };
  for (let kill = 1; kill <= cases(3, 2); kill += 1) {
    const server = await startServerProcess(urlOf(site.database.name), settings);
    const before = (await rows()).length;
    const send = () => server.request("/api/image_uploads", { method: "POST", key, body: picture() });
    // The killed server breaks one off.
    const upload = (): Promise<unknown> => send().then(upload, () => undefined);
    const uploads = Promise.all(Array.from({ length: 6 }, upload));
    await until(async () => (await rows()).length >= before + 5 * kill);
    await server.kill();
    await uploads;
    const kept = await rows();
    expect(kept.length).toBeGreaterThanOrEqual(before + 5 * kill);
    expect(kept.filter((name) => !store.objects.has(name))).toEqual([]);
  }
});
