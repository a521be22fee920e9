import { vi } from "vitest";
import { PATIENCE_MS } from "./patience.ts";

/** Waits until this is true, or is something, which is returned. */
export const until = <T>(isTrue: () => T | Promise<T>) =>
  vi.waitUntil(isTrue, { timeout: PATIENCE_MS, interval: 50 });
