import type { Line } from "./site.ts";

const PATH = "/api/articles?per_page=60";

/** The front page's list for those who have it already. */
export const notModified: Line = {
  name: "List, not modified (304)",
  requests: async ({ baseUrl }) => {
    const { headers } = await fetch(`${baseUrl}${PATH}`);
    return [{ path: PATH, headers: { "if-none-match": headers.get("etag") ?? "" } }];
  },
};
