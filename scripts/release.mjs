/**
 * Makes a release: `npm run release 1.2.0` gives both packages this version, commits it and tags the commit, which CI
 * publishes when the tag is pushed. With --tagged it changes nothing and checks that the commit is that of the tag, as CI
 * does before it publishes.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const PACKAGES = { inkstone: "package.json", "inkstone-client": "clients/typescript/package.json" };

const [version = "", mode] = process.argv.slice(2);
const isTagged = mode === "--tagged";
const tag = `v${version}`;

const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();

function faultOfTree() {
  if (git("status", "--porcelain") !== "") return "The tree has changes: commit them, or remove them.";
  const tagged = git("tag", "--list", tag) && git("rev-list", "-1", tag);
  if (!isTagged) return tagged && `The tag ${tag} exists already: take a higher version.`;
  if (tagged !== git("rev-parse", "HEAD")) return `The tag ${tag} isn't at this commit.`;
  const versions = Object.values(PACKAGES).map((path) => JSON.parse(readFileSync(path, "utf8")).version);
  return versions.every((one) => one === version)
    ? ""
    : `The packages have the versions ${versions.join(", ")}.`;
}

function faultOfVersion() {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return "Name a version, such as 1.2.0.";
  const [, entry = ""] = readFileSync("CHANGELOG.md", "utf8").split(`\n## ${version}\n`);
  if (entry.split("\n## ")[0].trim() === "")
    return `CHANGELOG.md has no entry for it: write one under the heading "## ${version}".`;
  return "";
}

function faultOfPublished() {
  const published = Object.keys(PACKAGES).find(isPublished);
  return published && `${published} ${version} is published already: take a higher version.`;
}

/** npm answers E404 for a version that isn't, of a package that is or isn't. */
function isPublished(name) {
  const { status, stdout, stderr } = spawnSync("npm", ["view", `${name}@${version}`, "version"], {
    encoding: "utf8",
  });
  if (status === 0) return stdout.trim() !== "";
  if (stderr.includes("E404")) return false;
  throw new Error(`npm can't tell whether ${name} ${version} is published:\n${stderr}`);
}

// npm itself refuses to publish a version twice.
const fault = faultOfVersion() || faultOfTree() || (!isTagged && faultOfPublished());
if (fault) {
  console.error(`No release ${version}: ${fault}`);
  process.exitCode = 1;
} else if (isTagged) {
  console.log(`${tag} can be published.`);
} else {
  const both = ["--workspaces", "--include-workspace-root"];
  const only = ["--no-git-tag-version", "--allow-same-version", "--package-lock-only"];
  execFileSync("npm", ["version", version, ...both, ...only], { stdio: "ignore" });
  if (git("status", "--porcelain") !== "")
    git("commit", "--all", "--quiet", "--message", `Version ${version}`);
  git("tag", "--annotate", "--message", `Inkstone ${version}`, tag);
  console.log(`${tag} is tagged. Publish it: git push --follow-tags`);
}
