import type { FastifyRequest } from "fastify";

/** Where a page is: what stands in for the request's own `page` and `cursor`, and maybe its `per_page`. */
interface PageLink {
  page?: number;
  per_page?: number;
  cursor?: string;
}

interface Links {
  request: FastifyRequest;
  baseUrl: string;
  first?: PageLink | undefined;
  prev?: PageLink | undefined;
  next?: PageLink | undefined;
}

/**
 * The `Link` header (RFC 8288) of a list, ready to be spread into an answer's headers: the request's
 * own address with another `page` or `cursor`, for those pages that exist. Parameters that the
 * operation doesn't know are left out, because answers are kept without regard to them.
 */
export function linkHeader({ request, baseUrl, ...pages }: Links): Record<string, string> {
  const links = (["first", "prev", "next"] as const).flatMap((relation) => {
    const page = pages[relation];
    return page === undefined ? [] : [`<${baseUrl}${pathAndQuery(request, page)}>; rel="${relation}"`];
  });
  return links.length === 0 ? {} : { link: links.join(", ") };
}

function pathAndQuery(request: FastifyRequest, { page, per_page, cursor }: PageLink): string {
  const query = new URLSearchParams(request.given);
  query.delete("page");
  query.delete("cursor");
  if (page !== undefined) query.set("page", String(page));
  if (per_page !== undefined) query.set("per_page", String(per_page));
  if (cursor !== undefined) query.set("cursor", cursor);
  const path = pathOf(request);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The path as the client wrote it, without anything that could leave a header or a link. */
export function pathOf(request: FastifyRequest): string {
  const path = request.url.split("?", 1)[0] ?? "";
  return path.replace(/[^\w\-./~%:@!$&'()*+,;=]/g, (char) => encodeURIComponent(char));
}
