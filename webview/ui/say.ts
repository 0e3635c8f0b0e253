/** A short word of what was done, seen and heard, gone by itself. */

const SHOWN_FOR = 2500;
let hiding: ReturnType<typeof setTimeout> | null = null;

export function say(words: string): void {
  const element = place();
  element.textContent = words;
  element.hidden = false;
  if (hiding !== null) clearTimeout(hiding);
  hiding = setTimeout(() => {
    element.hidden = true;
    element.textContent = "";
  }, SHOWN_FOR);
}

function place(): HTMLElement {
  const known = document.querySelector<HTMLElement>(".said");
  if (known) return known;
  const element = document.createElement("div");
  element.className = "said";
  element.role = "status";
  (document.querySelector("main") ?? document.body).append(element);
  return element;
}
