import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licences of the packages whose code is in the bundle, and of the icons, which most of them require to accompany it. */
export function notices(root, metafile, icons) {
  const bundled = bundledFolders(metafile).map((folder) => notice(join(root, folder)));
  return [...bundled, `── ${icons.SOURCE.replace("@", " ")} (ISC)\n\n${icons.LICENCE}`].join("\n\n");
}

/** The folders of the packages whose code is in the bundle, as the lock file names them. */
export function bundledFolders({ inputs }) {
  return [...new Set(Object.keys(inputs).flatMap((path) => packageOf(path) ?? []))].toSorted();
}

/** Undefined for a module of our own. */
function packageOf(path) {
  const [folder] =
    /^.*?node_modules\/(?:@[^/]+\/)?[^/]+(?:\/node_modules\/(?:@[^/]+\/)?[^/]+)*/.exec(path) ?? [];
  return folder;
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [`── ${name} ${version} (${license})`, ...texts].join("\n\n");
}
