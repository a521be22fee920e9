import { keep, keepCopies } from "./keeping.ts";
import { form, say } from "./page.ts";
import { isUploading, takePictures } from "./pictures.ts";
import { showPreviews } from "./preview.ts";
import { toolbar } from "./toolbar.ts";

takePictures(toolbar());
showPreviews();
keepCopies();
form.addEventListener("submit", (event) => {
  const isReady = navigator.onLine && !isUploading();
  keep(isReady);
  if (isReady) return;
  event.preventDefault();
  say("picture", navigator.onLine ? "A picture is on its way: save in a moment" : "You are offline");
});
