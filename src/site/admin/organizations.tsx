import { listOrganizations } from "../../community/moderation/accounts.ts";
import { organizationSettingsPath } from "../../platform/paths.ts";
import type { Forms } from "../forms.tsx";
import { counted } from "../kit/components.tsx";
import { listRoute } from "../staff/things.tsx";

/** The page of one is that of its own admins, which is open to admins of the site. */
export function organizationListRoutes(forms: Forms): void {
  listRoute(forms, "/admin/organizations", {
    title: "Organizations",
    search: "Part of the name or username",
    async rows(db, part) {
      const rows = await listOrganizations(db, part);
      return rows.map(({ id, username, name, members, admins }) => ({
        key: String(id),
        name,
        href: organizationSettingsPath(username),
        notes: [`@${username}`, counted(members, "member"), counted(admins, "admin")],
      }));
    },
  });
}
