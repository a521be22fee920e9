import { render } from "preact-render-to-string";
import { expect, test } from "vitest";
import { ErrorSummary, Field } from "./forms.tsx";

test("a field that was refused says so beside its input, and keeps what was typed", () => {
  const html = render(
    Field({ name: "title", label: "Title", hint: "Short", value: 'a "b"', fault: "Title is too long" }),
  );
  expect(html).toContain('<label for="title">Title</label>');
  expect(html).toContain('<p class="fault" id="title-fault">Title is too long</p>');
  expect(html).toContain(
    'id="title" name="title" aria-describedby="title-hint title-fault" aria-invalid="true" type="text" value="a &quot;b&quot;"',
  );
});

test("a field that is judged while one types has the place of its fault before there is one", () => {
  const html = render(Field({ name: "title", label: "Title", check: "/check" }));
  expect(html).toContain('<p class="fault" id="title-fault" aria-live="polite"></p>');
  expect(html).toContain('aria-describedby="title-fault" data-check="/check"');
});

test("a form that was refused begins with a summary whose lines lead to the fields", () => {
  const summary = ErrorSummary({ faults: [{ field: "title", sentence: "Title is too long" }] });
  const html = summary && render(summary);
  expect(html).toContain('<h2 id="error-summary">There is a problem</h2>');
  expect(html).toContain('<a href="#title">Title is too long</a>');
  expect(ErrorSummary({ faults: [] })).toBeNull();
});
