import { foreignImports, type Report } from "./foreign-imports.ts";

/** One site for all tests of a file, into which exports of WordPress are imported. */
export function wordpressImports() {
  const site = foreignImports();
  return {
    ...site,
    loadFiles: (files: readonly string[], ...options: string[]): Promise<Report> =>
      site.load(...files, ...options),
    /** Imports an export, which succeeds. */
    load: async (xml: string, ...options: string[]): Promise<Report> =>
      site.load(await site.file(xml, "export.xml"), ...options),
  };
}
