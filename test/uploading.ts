import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Reply, World } from "./world.ts";

export const FORM_TYPE = "multipart/form-data; boundary=XX";

/** A form with one file in it. */
export function form(bytes: Buffer, disposition = 'name="image"; filename="a.png"'): Buffer {
  return Buffer.concat([
    Buffer.from(`--XX\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    bytes,
    Buffer.from("\r\n--XX--\r\n"),
  ]);
}

interface Upload {
  key?: string | undefined;
  headers?: Record<string, string>;
}

/** Short words for uploading images with this key, unless another is given, and for what came of it. */
export function uploading(world: World, key: string) {
  return {
    upload(body: Buffer, options: Upload = {}): Promise<Reply> {
      const headers = { "content-type": FORM_TYPE, ...options.headers };
      return world.request({ method: "POST", url: "/api/image_uploads", key, ...options, headers, body });
    },
    files: () => filesOf(world),
    /** Does what leaves neither a file nor a row. */
    async leavingNothing(work: () => Promise<unknown>): Promise<void> {
      const rows = () => world.db.selectFrom("uploads").select("name").orderBy("name").execute();
      const before = [await filesOf(world), await rows()];
      await work();
      expect([await filesOf(world), await rows()]).toEqual(before);
    },
  };
}

/** All files there are, finished or not. */
async function filesOf(world: World): Promise<string[]> {
  const root = join(world.context.config.dataDir, "files");
  const all = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return all.filter((one) => one.isFile()).map(({ name }) => name);
}
