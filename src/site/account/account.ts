import type { Forms } from "../forms.tsx";
import { addressRoutes } from "./address.tsx";
import { applicationRoutes } from "./applications.tsx";
import { confirmAddressRoutes } from "./confirm-address.tsx";
import { invitationRoutes } from "./invitations.tsx";
import { joinRoutes } from "./joining.tsx";
import { keyRoutes } from "./keys.tsx";
import { mailRoutes } from "./mails.tsx";
import { passwordRoutes } from "./password.tsx";
import { profileRoutes } from "./profile.tsx";
import { readingRoutes } from "./reading.tsx";
import { resetRoutes } from "./reset.tsx";
import { sessionRoutes } from "./sessions.tsx";
import { SECTIONS } from "./settings.tsx";
import { setUpRoutes } from "./set-up.tsx";
import { signInRoutes } from "./signing-in.tsx";
import { twoFactorRoutes } from "./two-factor.tsx";

export function accountRoutes(forms: Forms): void {
  signInRoutes(forms);
  resetRoutes(forms);
  setUpRoutes(forms);
  forms.member("/settings", {
    fields: {},
    show: async () => ({ to: SECTIONS[0].path }),
    submit: async () => ({ to: SECTIONS[0].path }),
  });
  profileRoutes(forms);
  addressRoutes(forms);
  passwordRoutes(forms);
  twoFactorRoutes(forms);
  sessionRoutes(forms);
  readingRoutes(forms);
  mailRoutes(forms);
  keyRoutes(forms);
  invitationRoutes(forms);
  joinRoutes(forms);
  applicationRoutes(forms);
  confirmAddressRoutes(forms);
}
