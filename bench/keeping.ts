/** Measures what keeps a site: backups and restores beside PostgreSQL's own programs, requests beside a backup, imports. */
import { type Finding, faultsOf, findingsTable } from "./growth/finding.ts";
import { measureBackup, measureBeside, measureRestore } from "./keeping/backups.ts";
import { measureImporters } from "./keeping/importers.ts";
import { openSite, type Site } from "./keeping/site.ts";
import { closing, FLAG, partsNamed, runBench, say, text, wholeNumber } from "./kit.ts";
import { checkProcesses } from "./measure/processes.ts";

const MEASURES: Record<string, (site: Site) => Promise<Finding[]>> = {
  backup: measureBackup,
  restore: measureRestore,
  beside: measureBeside,
  importers: measureImporters,
};
const PARTS = Object.keys(MEASURES);

await runBench("bench:keeping", {
  options: { articles: text("10000,100000"), only: text(PARTS.join(",")), quick: FLAG },
  section: ({ quick }) => (quick ? undefined : "keeping results"),
  async measure({ articles, only, quick }) {
    checkProcesses();
    const parts = partsNamed(only, PARTS);
    const all: Finding[] = [];
    for (const given of quick ? ["500"] : articles.split(",")) {
      const size = wholeNumber("--articles", given, 100, 9_999_999);
      await closing(async (later) => {
        const site = await openSite(later, size);
        for (const part of parts) {
          say(`Measuring ${part} at ${size} articles`);
          all.push(...((await MEASURES[part]?.(site)) ?? []));
        }
      });
    }
    return { tables: [findingsTable(all, "Keeping")], faults: quick ? [] : faultsOf(all) };
  },
});
