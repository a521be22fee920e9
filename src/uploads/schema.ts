import { Type } from "typebox";
import { Url } from "../http/schema.ts";

export const ImageUpload = Type.Object(
  { links: Type.Array(Url, { description: "The address of the image, to be used in articles." }) },
  { title: "ImageUpload" },
);

/** The form, as it is documented; the reader of forms checks it. */
export const ImageForm = {
  content: {
    "multipart/form-data": {
      schema: Type.Object({
        image: Type.String({
          format: "binary",
          description:
            "A JPEG, PNG, GIF, WebP or AVIF picture of at most 10 MiB, 24 megapixels and 200 frames.",
        }),
      }),
    },
  },
};
