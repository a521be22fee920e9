import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of its own, in memory. */
export interface SmallDisk {
  path: string;
  /** Leaves this much free, none unless told. */
  fill(freeBytes?: number): void;
  /** Undoes `fill`. */
  free(): void;
  makeReadOnly(): void;
  unmount(): void;
}

const ROOT = process.getuid?.() === 0;
const SUDO = ROOT ? [] : ["sudo", "-n"];
const CHUNK = Buffer.alloc(65_536, 1);

/** Only Linux has these, for root and for accounts that may `sudo` without a password, as CI's may. */
export const canMount = process.platform === "linux" && run("true").status === 0;

export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = join(tmpdir(), `inkstone-disk-${randomUUID().slice(0, 8)}`);
  const filler = join(path, "filler");
  mkdirSync(path);
  must("mount", "-t", "tmpfs", "-o", `size=${megabytes}m,mode=0777`, "tmpfs", path);
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    fill(leave = 0) {
      try {
        while (freeBytes() > leave) {
          writeFileSync(filler, CHUNK.subarray(0, Math.min(CHUNK.length, freeBytes() - leave)), {
            flag: "a",
          });
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
      chmodSync(filler, 0o666);
    },
    free: () => rmSync(filler),
    makeReadOnly: () => must("mount", "-o", "remount,ro", path),
    unmount() {
      must("umount", "--lazy", path);
      rmdirSync(path);
    },
  };
}

function run(...command: string[]) {
  const [program = "", ...args] = [...SUDO, ...command];
  return spawnSync(program, args, { encoding: "utf8" });
}

function must(...command: string[]): void {
  const { status, stderr } = run(...command);
  if (status !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
}
