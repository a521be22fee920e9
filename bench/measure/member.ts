import { newestArticles, sendForm } from "./http.ts";
import { command } from "./program.ts";

export interface Member {
  username: string;
  /** Of a session. */
  cookie: string;
}

/** Signs a user in by a link, which a command on the site's data directory makes. */
export async function signInByLink(baseUrl: string, dataDir: string): Promise<Member> {
  const [article] = await newestArticles(baseUrl, 1);
  const username = article?.user.username ?? "";
  const { out } = await command(dataDir, ["user", "sign-in-link", username]);
  const { pathname } = new URL(out.trim());
  return { username, cookie: await cookieOf(sendForm(baseUrl, pathname, {})) };
}

/** @throws Error when the answer begins no session */
export async function cookieOf(answer: ReturnType<typeof sendForm>): Promise<string> {
  const { status, headers } = await answer;
  const [cookie] = headers["set-cookie"]?.[0]?.split(";") ?? [];
  if (cookie === undefined) throw new Error(`Signing in returned ${status}.`);
  return cookie;
}
