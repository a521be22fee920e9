import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context, Services } from "../context.ts";
import { invalid, unavailable } from "../errors.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { sendRefusal } from "../http/errors.ts";
import { type FormFiles, formBytes, readForms } from "../http/form-body.ts";
import type { RunWrite } from "../http/run-write.ts";
import { beginImage, FOREVER } from "../http/pictures.ts";
import { errors, ok, url } from "../http/schema.ts";
import { FORMATS } from "../images/formats.ts";
import { IMAGE_LIMITS } from "../images/images.ts";
import { uploadPath } from "../paths.ts";
import * as uploads from "./uploads.ts";

const ImageUpload = Type.Object(
  { links: Type.Array(url("A URL."), { description: "The URL of the image, for use in articles." }) },
  { title: "ImageUpload", description: "An uploaded image." },
);

const ImageForm = {
  content: {
    "multipart/form-data": {
      schema: Type.Object(
        {
          image: Type.String({
            format: "binary",
            description:
              "A JPEG, PNG, GIF, WebP or AVIF image of at most 10 MiB, 24 megapixels and 200 frames.",
          }),
        },
        {
          title: "ImageForm",
          description: "A form with the image to upload.",
          // The path of a file, which clients send.
          examples: [{ image: "assets/demo/balcony.webp" }],
        },
      ),
    },
  },
};

/** Bodies that are in memory at once. */
const MAX_BODIES = 32;
const MAX_BODIES_OF_USER = 16;

/**
 * Limits how many images are received and processed at once, because each takes two to three times its size in memory.
 * So all together take up to 1 GB.
 */
function createUploadAdmission() {
  const byUser = new Map<number, number>();
  let total = 0;

  return async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { id } = caller(request);
    const own = byUser.get(id) ?? 0;
    if (total >= MAX_BODIES || own >= MAX_BODIES_OF_USER) throw unavailable();
    total += 1;
    byUser.set(id, own + 1);
    // The event also comes when the client breaks off.
    reply.raw.once("close", () => {
      total -= 1;
      byUser.set(id, (byUser.get(id) ?? 1) - 1);
    });
  };
}

interface Surroundings {
  context: Context;
  services: Services;
  runWrite: RunWrite;
}

export async function uploadRoutes(app: App, surroundings: Surroundings): Promise<void> {
  serveUploads(app, surroundings.context);
  // Only this part of the server reads forms.
  await app.register(async (part: App) => {
    readForms(part, IMAGE_LIMITS.bytes);
    part.addHook("preParsing", createUploadAdmission());
    uploadRoute(part, surroundings);
  });
}

const described = (code: 413 | 415, description: string) => ({
  [code]: { ...errors(code)[code], description },
});

function uploadRoute(
  app: App,
  { context: { config, files }, services: { images }, runWrite }: Surroundings,
): void {
  app.post(
    "/api/image_uploads",
    {
      config: { access: "write", idempotent: true },
      bodyLimit: formBytes(IMAGE_LIMITS.bytes),
      schema: {
        operationId: "uploadImage",
        summary: "Upload an image",
        description:
          "Stores an image for use in articles and returns its URL. The image is re-encoded, without metadata and file name.",
        tags: ["images"],
        body: ImageForm,
        response: {
          201: ok(ImageUpload, {
            description: "The image is stored.",
            example: { links: ["https://community.example/uploads/3f2a9c0d5e7b41688a1c2d3e4f506172.png"] },
          }),
          ...errors(400, 401, 409, 422, 429, 500, 503),
          ...described(413, "The image is larger than 10 MiB."),
          ...described(415, "The body isn't a form (`multipart/form-data`)."),
        },
      },
    },
    (request, reply) => {
      const image = imageOf(request.body as FormFiles | undefined);
      return runWrite(request, reply, {
        verb: (actor) => uploads.create(actor, image, { files, images }),
        show: ({ name }) => ({
          status: 201,
          body: JSON.stringify({ links: [config.baseUrl + uploadPath(name)] }),
        }),
      });
    },
  );
}

function imageOf(form: FormFiles | undefined): Buffer {
  const [image, another] = form?.get("image") ?? [];
  if (image === undefined)
    throw invalid("image is missing: send a file as image in a form (multipart/form-data)");
  if (another !== undefined) throw invalid("image was sent more than once: send one image at a time");
  if (image.length === 0) throw invalid("image is empty: send a file that isn't");
  return image;
}

const TYPES = new Map<string, string>(Object.values(FORMATS).map(({ extension, type }) => [extension, type]));
/** An upload, or a size of a picture. */
const NAME = /^[0-9a-f]{32}(?:-(?:640|320|90|60))?\.([a-z]+)$/;

/** The address can't be guessed. */
function serveUploads(app: App, { files }: Context): void {
  app.get<{ Params: { name: string } }>(
    "/uploads/:name",
    { config: { access: "open" }, schema: { hide: true } },
    async (request, reply) => {
      const { name } = request.params;
      const type = TYPES.get(NAME.exec(name)?.[1] ?? "");
      if (type === undefined) return sendRefusal(reply, 404);
      const etag = `"${name}"`;
      const file = await uploads.open(files, name);
      if (file === undefined) return sendRefusal(reply, 404);
      if (beginImage(request, reply, { etag, type, cacheControl: FOREVER })) {
        file.stream.destroy();
        return reply;
      }
      return reply.header("content-length", file.size).send(file.stream);
    },
  );
}
