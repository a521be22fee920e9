import { invalid } from "../errors.ts";
import { quote } from "../text/quote.ts";
import { isHttpUrl } from "../text/urls.ts";

const MAX_URL_BYTES = 2000;

/** The address of a feed as it is stored. @throws AppError invalid */
export function checkedUrl(url: string): string {
  const text = url.trim();
  if (!isHttpUrl(text)) {
    throw invalid(
      `The address of a feed must be a full http or https address, such as https://example.com/feed, not ${quote(text)}`,
    );
  }
  const { href } = new URL(text);
  if (Buffer.byteLength(href) <= MAX_URL_BYTES) return href;
  throw invalid(`The address of a feed is too long (maximum is ${MAX_URL_BYTES} bytes)`);
}
