/** The rows that an email of each kind names, beside its reader. */
export interface About {
  sign_up_link: { next: string };
  sign_in_link: object;
  password_changed: object;
  second_factor_changed: { change: "on" | "off" | "codes" };
  invitation: { invitation_id: number };
  applications_waiting: object;
  application_approved: object;
  application_declined: { sign_up_id: number };
  confirm_address: object;
  address_changed: object;
  moderation: { log_id: number };
  webhook_disabled: { webhook_endpoint_id: number };
  comment_reply: { notification_id: number };
  article_comment: { notification_id: number };
  mention: { notification_id: number };
}

export type Kind = keyof About;

interface KindOfMail {
  /** Completes "When …" in the settings. Kinds without one go to people who have no account. */
  label?: string;
  isForAdmins?: boolean;
  isOptional: boolean;
  /** Whether only those who turn it on get it. */
  isOffAtFirst?: boolean;
  /** The alternative where mail isn't set up, and for a user without an address. */
  otherwise: "notification" | "nothing" | "failure";
}

export const KINDS: Record<Kind, KindOfMail> = {
  sign_up_link: { isOptional: false, otherwise: "failure" },
  sign_in_link: { label: "you ask for a link that signs you in", isOptional: false, otherwise: "failure" },
  password_changed: { label: "your password is changed", isOptional: false, otherwise: "notification" },
  second_factor_changed: {
    label: "your second factor is turned on or off, or gets new recovery codes",
    isOptional: false,
    otherwise: "notification",
  },
  invitation: { isOptional: false, otherwise: "failure" },
  application_approved: { isOptional: false, otherwise: "nothing" },
  application_declined: { isOptional: false, otherwise: "nothing" },
  confirm_address: {
    label: "you give another e-mail address, which a link in it confirms",
    isOptional: false,
    otherwise: "failure",
  },
  address_changed: {
    label: "your e-mail address is changed or removed; it goes to the old one",
    isOptional: false,
    otherwise: "notification",
  },
  // There are notifications of these.
  moderation: {
    label: "a moderator acts on your account or on what you wrote",
    isOptional: false,
    otherwise: "nothing",
  },
  comment_reply: { label: "your comment gets a reply", isOptional: true, otherwise: "nothing" },
  article_comment: {
    label: "your article or episode gets a comment",
    isOptional: true,
    otherwise: "nothing",
  },
  mention: { label: "you are mentioned", isOptional: true, isOffAtFirst: true, otherwise: "nothing" },
  applications_waiting: {
    label: "people ask to join, at most once an hour",
    isForAdmins: true,
    isOptional: true,
    otherwise: "nothing",
  },
  webhook_disabled: {
    label: "a webhook endpoint of yours is disabled",
    isOptional: true,
    otherwise: "nothing",
  },
};

const ALL = Object.keys(KINDS) as Kind[];

export const CERTAIN_LABELS = ALL.flatMap((kind) =>
  KINDS[kind].isOptional ? [] : (KINDS[kind].label ?? []),
);

/** Those that a reader may turn off and on. */
export const optionalKinds = (isAdmin: boolean) =>
  ALL.filter((kind) => KINDS[kind].isOptional && (isAdmin || KINDS[kind].isForAdmins !== true));

export const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);
