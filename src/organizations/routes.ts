import type { Context } from "../context.ts";
import { answer } from "../http/answers.ts";
import type { App } from "../http/app-type.ts";
import { cutCounted } from "../http/pages.ts";
import { found, listed } from "../http/schema.ts";
import { User, USER_EXAMPLE } from "../users/schema.ts";
import * as userView from "../users/view.ts";
import * as organizations from "./organizations.ts";
import * as queries from "./queries.ts";
import { Organization, OrganizationList, OrganizationName, OrganizationSummary } from "./schema.ts";
import * as view from "./view.ts";

const tags = ["organizations"];

const EXAMPLE: Organization = {
  type_of: "organization",
  id: 1,
  username: "tinker_lab",
  name: "Tinker Lab",
  summary: "A shared workshop with four benches, one kiln and an open evening every Thursday.",
  microblog_username: null,
  codehost_username: null,
  url: "https://tinkerlab.example/",
  location: "Tbilisi and elsewhere",
  tech_stack: null,
  tag_line: "Bring it broken, take it home understood.",
  story: null,
  joined_at: "2022-03-10T18:00:00Z",
  profile_image: "https://community.example/assets/identicons/organization-1-640.png",
};

const SUMMARY_EXAMPLE: OrganizationSummary = {
  id: EXAMPLE.id,
  name: EXAMPLE.name,
  profile_image: EXAMPLE.profile_image,
  slug: EXAMPLE.username,
  summary: EXAMPLE.summary,
  tag_line: EXAMPLE.tag_line,
  url: EXAMPLE.url,
};

export function organizationRoutes(app: App, context: Context): void {
  list(app, context);
  one(app, context);
  people(app, context);
}

function list(app: App, { config: { baseUrl }, db }: Context): void {
  app.get(
    "/api/organizations",
    {
      config: { access: "public" },
      schema: {
        operationId: "listOrganizations",
        summary: "List organizations",
        description: "All organizations, ordered by id.",
        tags,
        querystring: OrganizationList,
        response: listed(OrganizationSummary, {
          description: "The response contains the organizations; it is an empty array past the last page.",
          example: [SUMMARY_EXAMPLE],
        }),
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const { rows, headers } = await cutCounted({ request, baseUrl, ...request.query }, (part) =>
          queries.listProfiles(db.replica, part),
        );
        return { body: JSON.stringify(rows.map((row) => view.summary(row, baseUrl))), headers };
      }),
  );
}

function one(app: App, { config: { baseUrl }, db }: Context): void {
  app.get(
    "/api/organizations/:username",
    {
      config: { access: "public" },
      schema: {
        operationId: "getOrganization",
        summary: "Get an organization",
        description: "An organization by its username, in any case, or its id.",
        tags,
        params: OrganizationName,
        response: found(Organization, {
          description: "The response contains the organization.",
          example: EXAMPLE,
          refusals: [404, 422],
        }),
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const row = await organizations.profileOf(db.replica, request.params.username);
        return { body: JSON.stringify(view.organization(row, baseUrl)) };
      }),
  );
}

function people(app: App, { config: { baseUrl }, db }: Context): void {
  app.get(
    "/api/organizations/:username/users",
    {
      config: { access: "public" },
      schema: {
        operationId: "getOrganizationUsers",
        summary: "List an organization's members",
        description: "Members and admins of the organization, ordered by id.",
        tags,
        params: OrganizationName,
        querystring: OrganizationList,
        response: listed(User, {
          description: "The response contains the users; it is an empty array past the last page.",
          example: [USER_EXAMPLE],
          refusals: [404],
        }),
      },
    },
    (request, reply) =>
      answer(request, reply, async () => {
        const id = await organizations.find(db.replica, request.params.username);
        const { rows, headers } = await cutCounted({ request, baseUrl, ...request.query }, (part) =>
          queries.listPeople(db.replica, id, part),
        );
        return { body: JSON.stringify(rows.map((row) => userView.user(row, baseUrl))), headers };
      }),
  );
}
