import { keep, keepCopies } from "./editor/keeping.ts";
import { body, form, say } from "./editor/page.ts";
import { isUploading, takePictures } from "./editor/pictures.ts";
import { showPreviews } from "./editor/preview.ts";
import { goBack, toolbar } from "./editor/toolbar.ts";

if (form.isConnected) {
  // Browsers cut what is pasted. The server refuses a text that is too long.
  body.removeAttribute("maxlength");
  takePictures(toolbar());
  showPreviews();
  keepCopies();
  goBack();
  form.addEventListener("submit", (event) => {
    keep(!isUploading());
    if (!isUploading()) return;
    event.preventDefault();
    say("picture", "A picture is on its way: save in a moment");
  });
}
