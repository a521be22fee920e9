import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { constants, deflateSync } from "node:zlib";
import { expect } from "vitest";
import { exportFile } from "../src/operate/community-file/export.ts";
import { importFile } from "../src/operate/community-file/import.ts";
import type { Services } from "../src/context.ts";
import { chunk, png } from "../src/content/images/tiles.ts";
import { fetchPictures } from "../src/community/remote-pictures/remote-pictures.ts";
import * as uploadedFiles from "../src/community/uploads/files.ts";
import { bytesOf, type Line } from "./community-file.ts";
import type { Reply, World } from "./world.ts";

/** A black PNG of any size, which is small whatever its size, with more chunks of this kind. */
export function pngOf(width: number, height: number, more: Buffer[] = []): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  return png({ width, height, kind: "colour" }, [
    ...more,
    chunk("IDAT", deflateSync(rows, { strategy: constants.Z_RLE })),
  ]);
}

/** Data that can hang behind a picture, and its name in messages. */
export function disguises(): [string, Buffer][] {
  const archive = Buffer.alloc(22);
  archive.write("PK\x05\x06", "latin1");
  return [
    ["a web page or script", Buffer.from("\n<HTML><body onload=alert(1)>")],
    ["a web page or script", Buffer.from("<script src=//elsewhere.example></script>")],
    ["a web page or script", Buffer.from("<?php system($_GET['c']);")],
    ["an archive", Buffer.concat([Buffer.from("PK\x03\x04 a program of sorts"), archive])],
    ["an archive", Buffer.from("Rar!\x1a\x07\x01\0", "latin1")],
  ];
}

/** The address of a picture that is kept here. */
export const HERE = /^https:\/\/ink\.example\/uploads\/[0-9a-f]{32}-640\.png$/;

const HOUR_MS = 3_600_000;

/** Helpers for remote pictures, in a world with a set time. */
export function picturing(world: () => World) {
  const now = () => world().context.now();
  const later = (hours: number) => world().setNow(new Date(now().getTime() + hours * HOUR_MS));

  return {
    later,
    /** One round of the worker. */
    async fetchNow(outside: Partial<Pick<Services, "net" | "images">> = {}): Promise<void> {
      later(0.01);
      const { db, context, services } = world();
      const { images, net } = { ...services, ...outside };
      await fetchPictures({ db, files: context.files, images, net, now });
    },
    importing: (...records: Line[]) =>
      importFile(world().db, Readable.from([bytesOf(records)]), {
        renderPool: world().services.renderPool,
        now: now(),
      }),
    /** The whole community file. */
    async exported(): Promise<string> {
      const sink = new PassThrough();
      const writing = exportFile(world().db, sink).then(() => sink.end());
      const [, chunks] = await Promise.all([writing, sink.toArray()]);
      return Buffer.concat(chunks as Buffer[]).toString();
    },
    files: () => uploading(world(), "").files(),
    /** The nightly work, two days from now. */
    async sweep(): Promise<void> {
      later(48);
      await uploadedFiles.sweep(world().db, world().context.files, now());
    },
  };
}

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
