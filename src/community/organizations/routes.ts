import { list, operations, read } from "../../http/operation.ts";
import { found, listed } from "../../http/responses.ts";
import { User, USER_EXAMPLE } from "../users/schema.ts";
import * as userView from "../users/view.ts";
import * as organizations from "./organizations.ts";
import * as queries from "./queries.ts";
import {
  Organization,
  ORGANIZATION_EXAMPLE,
  OrganizationList,
  OrganizationName,
  OrganizationSummary,
  SUMMARY_EXAMPLE,
} from "./schema.ts";
import * as view from "./view.ts";

export const organizationRoutes = operations("organizations", [
  list({
    path: "GET /api/organizations",
    id: "listOrganizations",
    access: "public",
    summary: "List organizations",
    description: "All organizations, ordered by id.",
    query: OrganizationList,
    answers: listed(OrganizationSummary, "the organizations", SUMMARY_EXAMPLE),
    rows: (_, { db }, part) => queries.listProfiles(db.replica, part),
    show: (row, { baseUrl }) => view.summary(row, baseUrl),
  }),
  read({
    path: "GET /api/organizations/:username",
    id: "getOrganization",
    access: "public",
    summary: "Get an organization",
    description: "An organization by its username, in any case, or its id.",
    params: OrganizationName,
    answers: found(Organization, "the organization", ORGANIZATION_EXAMPLE, { refusals: [422] }),
    async run({ params }, { db, baseUrl }) {
      const row = await organizations.profileOf(db.replica, params.username);
      return { body: JSON.stringify(view.organization(row, baseUrl)) };
    },
  }),
  list({
    path: "GET /api/organizations/:username/users",
    id: "getOrganizationUsers",
    access: "public",
    summary: "List an organization's members",
    description: "Members and admins of the organization, ordered by id.",
    params: OrganizationName,
    query: OrganizationList,
    answers: listed(User, "the users", USER_EXAMPLE),
    async rows({ params }, { db }, part) {
      const id = await organizations.find(db.replica, params.username);
      return queries.listPeople(db.replica, id, part);
    },
    show: (row, { baseUrl }) => userView.user(row, baseUrl),
  }),
]);
