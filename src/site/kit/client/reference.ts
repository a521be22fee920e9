/** What the pages of the API's reference do with a script: requests from forms, and a filter of the list. */
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-send]")) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}

/** A key stays in its field: nothing stores it. */
async function send(form: HTMLFormElement): Promise<void> {
  const output = form.querySelector("output");
  if (output === null) return;
  const inputs = [...form.querySelectorAll<HTMLInputElement>("input[data-in]")];
  const given = (place: string) => inputs.filter((one) => one.dataset["in"] === place && one.value !== "");
  const names = new Map(given("path").map(({ name, value }) => [name, value]));
  const path = String(form.dataset["send"]).replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(names.get(name) ?? ""),
  );
  const query = new URLSearchParams(given("query").map(({ name, value }) => [name, value]));
  const url = query.size === 0 ? path : `${path}?${query}`;
  const [key] = given("key");
  output.replaceChildren("Sending …");
  try {
    const response = await fetch(url, key ? { headers: { "api-key": key.value } } : {});
    const text = await response.text();
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    output.replaceChildren(
      element("strong", `${response.status} ${response.statusText}`),
      element("code", `GET ${url}`),
      element("pre", headers),
      element("pre", readable(text)),
    );
  } catch (error) {
    output.replaceChildren(`The request failed: ${String(error)}`);
  }
}

function element(name: string, text: string): HTMLElement {
  return Object.assign(document.createElement(name), { textContent: text });
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const filter = document.querySelector<HTMLInputElement>("input[data-filter]");
filter?.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const topic of document.querySelectorAll<HTMLElement>(".topic")) {
    const rows = [...topic.querySelectorAll<HTMLElement>(".operations li")];
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    topic.hidden = words.length > 0 && rows.every((row) => row.hidden);
  }
});
