import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context, Services } from "../context.ts";
import { invalid } from "../errors.ts";
import type { App } from "../http/app-type.ts";
import { caller } from "../http/auth.ts";
import { sendRefusal } from "../http/errors.ts";
import { type FormFiles, formBytes, readForms } from "../http/form-body.ts";
import { perform } from "../http/perform.ts";
import { beginImage, FOREVER } from "../http/raster.ts";
import { errors, ok } from "../http/schema.ts";
import { FORMATS } from "../images/formats.ts";
import { IMAGE_LIMITS } from "../images/images.ts";
import * as settings from "../settings/settings.ts";
import { createFairQueue } from "../fair-queue.ts";
import { createUploadAdmission, MAX_BODIES } from "./admission.ts";
import { ImageForm, ImageUpload } from "./schema.ts";
import * as uploads from "./uploads.ts";

export async function uploadRoutes(app: App, context: Context, services: Services): Promise<void> {
  serveUploads(app, context);
  // A part of the server of its own, because nothing else takes forms.
  await app.register(async (part: App) => {
    readForms(part, IMAGE_LIMITS.bytes);
    part.addHook("preParsing", createUploadAdmission());
    uploadRoute(part, context, services);
  });
}

const described = (code: 413 | 415, description: string) => ({
  [code]: { ...errors(code)[code], description },
});

function uploadRoute(app: App, { config, db, files, now }: Context, { fresh, images }: Services): void {
  // So many that only a person's own images wait for each other.
  const queue = createFairQueue({ size: MAX_BODIES });
  app.post(
    "/api/image_uploads",
    {
      config: { access: "write", idempotent: true },
      bodyLimit: formBytes(IMAGE_LIMITS.bytes),
      validatorCompiler: () => () => true,
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
    async (request, reply) => {
      const image = imageOf(request.body as FormFiles | undefined);
      const current = await settings.remembered(fresh, db.main);
      const rules = { settings: current, rateLimits: config.rateLimits, now: now() };
      const uploader = uploads.uploader(caller(request).id, rules);
      await uploads.refuseTooMany(db.main, uploader);
      const upload = await queue.run({ key: uploader.userId }, () => uploads.write({ files, images }, image));
      const body = JSON.stringify({ links: [`${config.baseUrl}/uploads/${upload.name}`] });
      return keep(request, reply, { upload, uploader, files, body });
    },
  );
}

interface Kept {
  upload: uploads.Upload;
  uploader: uploads.Uploader;
  files: Context["files"];
  body: string;
}

/** A file that was written for nothing is removed at once; where that isn't certain, it is left to the sweep. */
async function keep(request: FastifyRequest, reply: FastifyReply, { upload, uploader, files, body }: Kept) {
  let isKept = false;
  try {
    return await perform(request, reply, async (tx) => {
      isKept = false;
      await uploads.keep(tx, upload, uploader);
      isKept = true;
      return { status: 201, body };
    });
  } finally {
    if (!isKept) await uploads.discard(files, upload);
  }
}

/** The one image of a form; its other fields are nobody's. */
function imageOf(form: FormFiles | undefined): Buffer {
  const [image, another] = form?.get("image") ?? [];
  if (image === undefined)
    throw invalid("image is missing: send a file as image in a form (multipart/form-data)");
  if (another !== undefined) throw invalid("image was sent more than once: send one image at a time");
  if (image.length === 0) throw invalid("image is empty: send a file that isn't");
  return image;
}

const TYPES = new Map<string, string>(Object.values(FORMATS).map(({ extension, type }) => [extension, type]));
/** An image that was uploaded, or the picture of somebody in one of its sizes. */
const NAME = /^[0-9a-f]{32}(?:-(?:640|320|90|60))?\.([a-z]+)$/;

/** Images may be seen by whoever knows their address, which can't be guessed. */
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
