import { ask, startChild } from "./child.ts";
import type { PacedOrder } from "./paced-process.ts";

export type Reader = ReturnType<typeof openReader>;

/** Asks in a process of its own, which other load doesn't delay; each time it goes on with the next addresses. */
export function openReader({ url, paths, perSecond }: PacedOrder) {
  const child = startChild("./paced-process.ts");
  let asked = 0;
  return {
    /** The milliseconds of each answer. */
    read(seconds: number): Promise<number[]> {
      const next = Array.from({ length: Math.ceil(seconds * perSecond) }, () => {
        return paths[asked++ % paths.length] as string;
      });
      return ask<number[]>(child, { url, paths: next, perSecond } satisfies PacedOrder);
    },
    close: () => child.kill(),
  };
}
