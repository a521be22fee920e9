import { isIP } from "node:net";
import addressparser from "nodemailer/lib/addressparser";

export interface MailServer {
  host: string;
  port: number;
  isSecure: boolean;
  login: { user: string; password: string } | undefined;
  /** The name is empty for that of the community. */
  from: { name: string; address: string };
}

const PORTS: Record<string, number> = { "smtp:": 587, "smtps:": 465 };

/** Undefined for anything but an address like smtp://user:password@host:587. */
export function parseMailUrl(text: string): Omit<MailServer, "from"> | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const usual = PORTS[protocol];
  const host = hostname.replace(/^\[|\]$/g, "");
  const isHost = isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host);
  const isWhole = (username === "") === (password === "") && port !== "0";
  if (usual === undefined || !isHost || !isWhole || !/^\/?$/.test(pathname + search + hash)) return undefined;
  const server = { host, port: Number(port || usual), isSecure: protocol === "smtps:" };
  try {
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    return { ...server, login: login.user === "" ? undefined : login };
  } catch {
    return undefined;
  }
}

/** The parser mends what is broken; the form of a mailbox has no other brackets, quotes and separators. */
const INNER = /"(?:[^"\\]|\\.)*"|\((?:[^()\\]|\\.)*\)/g;
const FORM = /^(?:[^<>"();]*<[^<>"()]+>|[^<>"(),;]+)\s*$/;
const ADDRESS = /^(?:"(?:[^"\\]|\\.)+"|[^\s@<>,;:"()[\]\\]+)@(?:\[[^\s@<>[\]]+\]|[^\s@<>,;:"()[\]\\]+)$/;

/** Undefined for anything but one mailbox of RFC 5322: an address, or a name with one in angle brackets. */
export function parseFrom(text: string): MailServer["from"] | undefined {
  const isForm =
    !/\p{Cc}/u.test(text) && FORM.test(text.replaceAll(INNER, (part) => (part[0] === '"' ? "q" : " ")));
  const [found, ...others] = isForm ? addressparser(text) : [];
  const { name, address = "" } = found ?? { name: "" };
  return others.length > 0 || !ADDRESS.test(address) || name.length > 100 ? undefined : { name, address };
}
