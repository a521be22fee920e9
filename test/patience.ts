/** How long tests wait for what comes soon: long enough for a slow machine with other work. */
export const PATIENCE_MS = 120_000;
