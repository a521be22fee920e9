import { assetPath } from "../paths.ts";
import type { Settings } from "../settings/schema.ts";
import type { Instance } from "./schema.ts";

export interface Site {
  settings: Settings;
  hasUsers: boolean;
  baseUrl: string;
  version: string;
}

/** The community's description for clients and directories. */
export function instance({ settings, hasUsers, baseUrl, version }: Site): Instance {
  return {
    context: null,
    cover_image_url: baseUrl + assetPath("social.png"),
    description: settings.community_description,
    display_in_directory: settings.visibility === "public",
    domain: new URL(baseUrl).host,
    logo_image_url: baseUrl + assetPath("default-organization-640.png"),
    name: settings.community_name,
    tagline: settings.tagline,
    version,
    visibility: hasUsers ? settings.visibility : "pending",
  };
}
