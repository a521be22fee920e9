import { PASSWORD_LENGTH } from "../../community/users/password-rules.ts";

/** The fields that several pages of accounts have. */
export const NAME = { label: "Your name", autocomplete: "name", maxLength: 100, required: true } as const;

export const EMAIL = {
  label: "E-mail address",
  kind: "email",
  autocomplete: "email",
  inputmode: "email",
  maxLength: 254,
  required: true,
} as const;

export const NEW_PASSWORD = {
  label: "Password",
  kind: "password",
  autocomplete: "new-password",
  required: true,
  hint: `At least ${PASSWORD_LENGTH.least} characters; 15 or more are better.`,
} as const;
