import { PassThrough, Readable } from "node:stream";
import { exportFile } from "../src/community-file/export.ts";
import { importFile } from "../src/community-file/import.ts";
import type { Services } from "../src/context.ts";
import { fetchPictures } from "../src/remote-pictures/remote-pictures.ts";
import * as uploadedFiles from "../src/uploads/files.ts";
import { bytesOf, type Line } from "./community-file.ts";
import { uploading } from "./uploading.ts";
import type { World } from "./world.ts";

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
