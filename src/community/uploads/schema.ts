import { Type } from "typebox";
import { url } from "../../http/schema.ts";

export const ImageUpload = Type.Object(
  { links: Type.Array(url("A URL."), { description: "The URL of the image, for use in articles." }) },
  { title: "ImageUpload", description: "An uploaded image." },
);

export const ImageForm = {
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
