import { vi } from "vitest";
import { PATIENCE_MS } from "./patience.ts";

/** Waits until this is true, or is something, which is returned. */
export const until = <T>(isTrue: () => T | Promise<T>, interval = 50) =>
  vi.waitUntil(isTrue, { timeout: PATIENCE_MS, interval });
