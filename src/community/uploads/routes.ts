import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { url } from "../../http/schema.ts";
import { invalid, unavailable } from "../../platform/errors.ts";
import type { App } from "../../http/app-type.ts";
import { caller } from "../../http/auth.ts";
import { sendRefusal } from "../../http/errors.ts";
import { formBytes, type FormFiles, readForms } from "../../http/form-body.ts";
import { type Mount, operations, write } from "../../http/operation.ts";
import { beginImage, FOREVER } from "../../http/pictures.ts";
import { errors } from "../../http/responses.ts";
import { FORMATS } from "../../content/images/formats.ts";
import { IMAGE_LIMITS } from "../../content/images/images.ts";
import { uploadPath } from "../../platform/paths.ts";
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

const other = (code: 413 | 415, description: string) => ({ [code]: { ...errors(code)[code], description } });

const uploadImage = write({
  path: "POST /api/image_uploads",
  id: "uploadImage",
  access: "write",
  summary: "Upload an image",
  description:
    "Stores an image for use in articles and returns its URL. The image is re-encoded, without metadata and file name.",
  body: ImageForm,
  bodyLimit: formBytes(IMAGE_LIMITS.bytes),
  answers: {
    status: 201,
    schema: ImageUpload,
    description: "The image is stored.",
    example: { links: ["https://community.example/uploads/3f2a9c0d5e7b41688a1c2d3e4f506172.png"] },
    responses: {
      ...other(413, "The image is larger than 10 MiB."),
      ...other(415, "The body isn't a form (`multipart/form-data`)."),
    },
  },
  show: ({ name }: uploads.Upload, { baseUrl }) => ({
    body: JSON.stringify({ links: [baseUrl + uploadPath(name)] }),
  }),
  run: (actor, { body }, { files, images }) => uploads.create(actor, body as Buffer, { files, images }),
});

/** Only this part of the server reads forms. */
export const uploadRoutes: Mount = async (app, program) => {
  await app.register(async (part: App) => {
    readForms(part, IMAGE_LIMITS.bytes);
    part.addHook("preParsing", createUploadAdmission());
    part.addHook("preHandler", async (request) => {
      request.body = imageOf(request.body as FormFiles | undefined);
    });
    await operations("images", [uploadImage])(part, program);
  });
};

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
export const storedImageRoutes: Mount = (app, { files }) => {
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
};
