import type { Page } from "playwright-core";
import { expect } from "vitest";
import { cases } from "./long.ts";
import { violations } from "./site.ts";

const WIDTHS = [320, 768, 1280];

/** Opposites first. */
const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 320, colorScheme: "dark" },
  { width: 768, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 320, colorScheme: "light" },
  { width: 768, colorScheme: "dark" },
] as const;

/**
 * The page fits every width. It is accessible in every theme and width in the long form, otherwise in `few` of them,
 * beginning with another for every `turn`.
 */
export async function expectReadable(page: Page, { few, turn = 0 }: { few: number; turn?: number }) {
  const height = 800;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate("document.documentElement.scrollWidth"), `at ${width} px`).toBe(width);
  }
  for (let number = 0; number < cases(LOOKS.length, few); number++) {
    const { width, colorScheme } = LOOKS[(number + (turn % 2)) % LOOKS.length] ?? LOOKS[0];
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    expect(await violations(page), `${width} px, ${colorScheme}`).toEqual([]);
  }
}
