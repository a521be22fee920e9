import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** 256 random bits, as text for a cookie. Only its digest is stored. */
export const newToken = () => randomBytes(TOKEN_BYTES).toString("base64url");

/** A text of any other form is no token, and needs no look-up. */
export const isToken = (text: string) => /^[\w-]{43}$/.test(text);

export const digestOf = (token: string) => createHash("sha256").update(token).digest();
