import { expect, test } from "vitest";
import { pngOf } from "../pictures.ts";
import { tabTo, violations } from "../site.ts";
import { button, copies, field, give, select, signIn, status, writingSite } from "../editor.ts";

const site = writingSite();

test("each button changes the words that are selected, and Undo takes that back", async () => {
  const page = await site.open({ text: "one two" });
  const results = [];
  const names = ["Bold", "Italic", "Link", "Code", "Quote", "List", "Heading"];
  for (const name of names) {
    await select(page, 4, 7);
    await button(page, name).click();
    results.push(await field(page).inputValue());
    await page.keyboard.press("Control+Z");
    expect([name, await field(page).inputValue()]).toEqual([name, "one two"]);
  }
  const inline = ["one **two**", "one _two_", "one [two](url)", "one `two`"];
  expect(results).toEqual([...inline, "one \n\n> two", "- one two", "one ## two"]);
});

test("keys mark words, the arrow keys lead through the toolbar, and Ctrl+S saves", async () => {
  const page = await site.open({ text: "two" });
  for (const [key, text] of Object.entries({ B: "**two**", I: "_two_", K: "[two](url)" })) {
    await field(page).selectText();
    await page.keyboard.press(`Control+${key}`);
    expect(await field(page).inputValue()).toBe(text);
    await page.keyboard.press("Control+Z");
  }
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowRight");
  await select(page, 0, 3);
  await page.keyboard.press("Enter");
  expect(await field(page).inputValue()).toBe("_two_");
  await page.getByLabel("Title").fill("Saved by a key");
  await page.keyboard.press("Control+S");
  await page.waitForURL(/\/edit/);
  expect(await site.written("_two_")).toMatchObject([{ title: "Saved by a key" }]);
});

test("lists go on at Enter and end in an empty item, but not while words are composed", async () => {
  const page = await site.open();
  await field(page).pressSequentially("- one\ntwo\n\n9. nine\nten\n\n- [x] done\nmore\n\nlast\nline");
  const text = "- one\n- two\n9. nine\n10. ten\n- [x] done\n- [ ] more\nlast\nline";
  expect(await field(page).inputValue()).toBe(text);
  await field(page).fill("- にほん");
  const prevented = await page.evaluate(`(() => {
    const event = new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true });
    document.querySelector("#body_markdown").dispatchEvent(event);
    return event.defaultPrevented;
  })()`);
  expect([prevented, await field(page).inputValue()]).toEqual([false, "- にほん"]);
});

test("a picture that is pasted or dropped is uploaded to its place, wherever that has gone", async () => {
  const page = await site.open({ text: "before  after" });
  const picture = pngOf(40, 30);
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/new", (route) => isReleased.then(() => route.continue()));
  await page.evaluate(`addEventListener("input", ({ target }) => (self.texts ??= []).push(target.value))`);
  await select(page, 7, 7);
  await give(page, "paste", "heron.png", picture);
  expect(await field(page).inputValue()).toBe("before ![Uploading heron.png…]() after");
  await button(page, "Save draft").click();
  expect(await status(page)).toContain("A picture is on its way");
  await select(page, 0, 0);
  await field(page).focus();
  await page.keyboard.type("Long ");
  await field(page).dispatchEvent("compositionstart");
  const answered = page.waitForResponse(`${site.origin}/new`);
  release();
  await (await answered).finished();
  expect(await field(page).inputValue()).toBe("Long before ![Uploading heron.png…]() after");
  await field(page).dispatchEvent("compositionend");
  const address = `${site.origin}/uploads/[0-9a-f]+\\.png`;
  await expect
    .poll(() => field(page).inputValue())
    .toMatch(new RegExp(`^Long before !\\[heron.png\\]\\(${address}\\) after$`));
  await page.keyboard.type("ago ");
  expect(await field(page).inputValue()).toMatch(/^Long ago before/);
  await field(page).fill("");
  await give(page, "drop", "crane.png", picture);
  await expect.poll(() => field(page).inputValue()).toMatch(new RegExp(`^!\\[crane.png\\]\\(${address}\\)$`));
  expect(await page.evaluate("self.texts")).toContain("![Uploading crane.png… 100%]()");
});

test("a picture that is refused, or comes after the session, says why and leaves the text alone", async () => {
  const page = await site.open({ text: "words" });
  const choosing = page.waitForEvent("filechooser");
  await field(page).selectText();
  await button(page, "Picture").click();
  await (await choosing).setFiles({ name: "no.png", mimeType: "image/png", buffer: Buffer.alloc(100) });
  await expect.poll(() => status(page)).toContain("no.png is not uploaded: Cover can’t be used");
  await page.context().clearCookies();
  await give(page, "paste", "late.png", pngOf(4, 4));
  const sentence = "late.png is not uploaded: you are signed out: save to sign in";
  await expect.poll(() => status(page)).toContain(sentence);
  await page.context().setOffline(true);
  await give(page, "paste", "off.png", pngOf(4, 4));
  await expect.poll(() => status(page)).toContain("off.png is not uploaded: the site doesn't answer");
  expect(await field(page).inputValue()).toBe("words");
});

test("the preview follows the text, one request at a time, and says when it fails", async () => {
  const page = await site.open({ width: 1200 });
  const preview = page.locator("#preview");
  await preview.locator(".preview").waitFor();
  const asked: (() => void)[] = [];
  await page.route("**/new", (route) => void asked.push(() => void route.continue()));
  for (const text of ["first", "second", "third"]) {
    await field(page).fill(text);
    await expect.poll(() => asked.length).toBe(1);
  }
  // Longer than the pause after the last key.
  await page.waitForTimeout(500);
  for (const count of [1, 2]) {
    await expect.poll(() => asked.length).toBe(count);
    asked.at(-1)?.();
  }
  await preview.getByText("third").waitFor();
  // Keys scroll it.
  expect(await preview.getAttribute("tabindex")).toBe("0");
  expect(await violations(page)).toEqual([]);
  await page.unroute("**/new");
  await page.context().setOffline(true);
  await field(page).fill("fourth");
  await expect.poll(() => status(page)).toContain("No preview: the site doesn't answer");
  expect(await field(page).inputValue()).toBe("fourth");
  expect(await preview.textContent()).toContain("third");
});

test("a copy that is newer is offered with both times; restored over a newer text, it leads to the conflict", async () => {
  const { id, slug } = await site.draft("at first");
  const page = await site.open({ path: `/ada/${slug}/edit` });
  await page.clock.install();
  await field(page).fill("written for an hour");
  await page.clock.runFor(3_500);
  await page.getByText(/^4 words, 1 min read · Kept in this browser at \d\d:\d\d$/).waitFor();
  expect(await status(page)).toMatch(/^Saved at \d\d:\d\d$/);
  const elsewhere = { body_markdown: "from elsewhere", edited_at: new Date("2026-01-02T03:04:05Z") };
  await site.world.db.updateTable("articles").set(elsewhere).where("id", "=", id).execute();
  await page.reload();
  await page.getByText(/kept a text at \d\d:\d\d that.* saved at 2 Jan 2026, \d\d:\d\d/).waitFor();
  expect(await field(page).inputValue()).toBe("from elsewhere");
  expect(await violations(page)).toEqual([]);
  await field(page).fill("a third text");
  await page.reload();
  await button(page, "Discard").click();
  expect(await copies(page)).toEqual(["written for an hour"]);
  await button(page, "Restore").click();
  expect(await field(page).inputValue()).toBe("written for an hour");
  await page.keyboard.press("Control+Z");
  expect(await field(page).inputValue()).toBe("from elsewhere");
  await page.keyboard.press("Control+Shift+Z");
  await button(page, "Save draft").click();
  await page.locator("mark", { hasText: "written for an hour" }).waitFor();
  await page.locator("mark", { hasText: "from elsewhere" }).waitFor();
});

test("a text that is sent offline is offered again, and saved once; what was not saved stays kept", async () => {
  const page = await site.open({ text: "from the train" });
  await page.getByLabel("Title").fill("On the train");
  await page.context().setOffline(true);
  await button(page, "Save draft").click();
  await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
  await page.context().setOffline(false);
  await page.addInitScript("Date.now = ((now) => () => now() + 61_000)(Date.now)");
  // A redirect, as after a form.
  await page.goto(`${site.origin}/signin`);
  expect(await copies(page)).toEqual(["from the train"]);
  await page.goto(`${site.origin}/new`);
  await button(page, "Restore").click();
  expect(await page.getByLabel("Title").inputValue()).toBe("On the train");
  await button(page, "Save draft").click();
  await page.waitForURL(/\/edit/);
  expect(await site.written("from the train")).toMatchObject([{ title: "On the train" }]);
  expect(await copies(page)).toEqual([]);
});

test("a refused text stays kept; published after the session ended, it is saved once by signing in", async () => {
  const page = await site.open({ text: "all evening" });
  await button(page, "Publish").click();
  await page.waitForFunction(`document.title.startsWith("Error:")`);
  expect(await page.locator(".done").count()).toBe(0);
  expect(await copies(page)).toEqual(["all evening"]);
  await page.getByLabel("Title").fill("All evening");
  await site.world.db.deleteFrom("sessions").execute();
  await button(page, "Publish").click();
  await signIn(page);
  await page.locator("article p", { hasText: "all evening" }).waitFor();
  expect(await site.written("all evening")).toMatchObject([{ title: "All evening", state: "published" }]);
  expect(await copies(page)).toEqual([]);
});

test("signing out clears the copies, unless it fails", async () => {
  const page = await site.open();
  await page.evaluate(
    `localStorage.setItem("shortcut", "off"); localStorage.setItem("editor 8 12 1", '{"fields":{}}')`,
  );
  await page.goto(`${site.origin}/signout`);
  await page.context().setOffline(true);
  await button(page, "Sign out").click();
  await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
  await page.context().setOffline(false);
  await page.goto(`${site.origin}/signout`);
  expect((await copies(page)).length).toBe(1);
  await button(page, "Sign out").click();
  await page.getByRole("link", { name: "Sign in" }).waitFor();
  expect(await page.evaluate("Object.keys(localStorage)")).toEqual(["shortcut"]);
});

test("six clicks lead from the front page to a published article with a picture", async () => {
  const page = await site.open({ path: "/" });
  await page.getByRole("link", { name: "Write" }).click();
  await page.getByLabel("Title").click();
  await page.keyboard.type("A heron");
  const choosing = page.waitForEvent("filechooser");
  await button(page, "Picture").click();
  // Two clicks: the file, and "Open".
  await (await choosing).setFiles({ name: "heron.png", mimeType: "image/png", buffer: pngOf(400, 300) });
  await expect.poll(() => field(page).inputValue()).toContain("![heron.png](http");
  await button(page, "Publish").click();
  await page.locator("article img[alt='heron.png']").waitFor();
});

test("keys alone lead from the front page to a published article", async () => {
  const page = await site.open({ path: "/", width: 1280 });
  await tabTo(page.getByRole("link", { name: "Write" }));
  await page.keyboard.press("Enter");
  for (const [label, text] of Object.entries({ Title: "By keys", Text: "No mouse.", Tags: "keys" })) {
    await tabTo(page.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  }
  await tabTo(button(page, "Publish"));
  await page.keyboard.press("Enter");
  await page.locator("article").getByText("No mouse.").waitFor();
  expect(await site.written("No mouse.")).toMatchObject([{ title: "By keys", state: "published" }]);
});

test.each([360, 1280])("the form is accessible %i px wide, and fits", async (width) => {
  const page = await site.open({ width, text: "words" });
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  expect(await field(page).getAttribute("maxlength")).toBe(null);
});
