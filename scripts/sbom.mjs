/** They ask no more of those who pass the program on than the licence's text; LGPL: libraries in files of their own. */
const ALLOWED =
  "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause Bitstream-Vera BlueOak-1.0.0 ISC LGPL-3.0-or-later MIT MIT-0 Unlicense";
const OPERATORS = ["AND", "OR", ""];

const FONT = { name: "DejaVuSans-Bold.ttf", version: "2.37", ...licensed("Bitstream-Vera", "the font") };

/**
 * What the program consists of, in CycloneDX 1.6: the packages in the bundle, those that it loads from `node_modules` on
 * any computer, the icons and the font. `npm sbom` leaves out what is bundled. The list has neither a time nor a number,
 * so that equal builds have equal files.
 * @param lock the content of package-lock.json
 * @param folders those of the bundled packages
 * @throws Error for a licence that isn't allowed
 */
export function sbom(lock, folders, icons) {
  const { packages } = lock;
  const { name, version, license } = packages[""];
  const program = { type: "application", ...identified(name, version), ...licensed(license, name) };
  const all = [...new Set([...folders, ...loadedFolders(packages)])];
  const found = [
    ...all.map((folder) => component(folder, packages[folder])),
    { type: "library", ...identified(...icons.SOURCE.split("@")), ...licensed("ISC", "the icons") },
    { type: "file", "bom-ref": FONT.name, ...FONT },
  ];
  // Two folders may hold the same version of a package.
  const components = [...new Map(found.map((one) => [one["bom-ref"], one])).values()];
  const contents = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: program },
    components,
    dependencies: [{ ref: program["bom-ref"], dependsOn: components.map((one) => one["bom-ref"]) }],
  };
  return `${JSON.stringify(contents, null, 2)}\n`;
}

/** Of the packages that a production install may have, for any kind of computer. */
function loadedFolders(packages) {
  const found = new Set();
  const visit = (from, { dependencies, optionalDependencies }) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const own = `${from}/node_modules/${name}`;
      const folder = own in packages ? own : `node_modules/${name}`;
      if (found.has(folder)) continue;
      found.add(folder);
      visit(folder, packages[folder]);
    }
  };
  visit("", packages[""]);
  return found;
}

function component(folder, { version, license, integrity, optional }) {
  const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
  const [algorithm, digest] = integrity.split("-");
  return {
    type: "library",
    ...identified(name, version),
    scope: optional ? "optional" : "required",
    hashes: [
      { alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(digest, "base64").toString("hex") },
    ],
    ...licensed(license, name),
  };
}

function identified(name, version) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { "bom-ref": purl, name, version, purl };
}

/** By the name of a licence, or by an expression of several. */
function licensed(licence, name) {
  const licences = licence.split(/[()\s]+/).filter((word) => !OPERATORS.includes(word));
  const unknown = licences.find((one) => !ALLOWED.split(" ").includes(one));
  if (unknown !== undefined)
    throw new Error(
      `The licence ${unknown} of ${name} isn't allowed: read it and add it to scripts/sbom.mjs, or do without.`,
    );
  return { licenses: [licences.length > 1 ? { expression: licence } : { license: { id: licence } }] };
}
