const FOR_PROGRAMS = ["/api/", "/healthz", "/readyz"];

export function robots({ visibility, baseUrl }: { visibility: string; baseUrl: string }): string {
  if (visibility === "private") return "User-agent: *\nDisallow: /\n";
  const refused = FOR_PROGRAMS.map((path) => `Disallow: ${path}\n`).join("");
  return `User-agent: *\n${refused}\nSitemap: ${baseUrl}/sitemap.xml\n`;
}
