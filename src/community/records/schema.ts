import { Type } from "typebox";
import { MAX_RECORD_ID } from "./identity.ts";

// Attributes that many types of records have.

export const Text = Type.String();
export const OptionalText = Type.Optional(Text);
export const Id = Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RECORD_ID }));
export const Moment = Type.Optional(Type.String({ format: "date-time" }));
/** An export leaves out the usual value, and an import reads an absent one as the usual one. */
export const flag = (usual: boolean) => Type.Optional(Type.Boolean({ default: usual }));
