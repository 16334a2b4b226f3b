// Returns the accessibility problems of the page.
const wrong = [];
const named = (it) => it.outerHTML.slice(0, 120);
const check = (selector, rule, holds) => {
  for (const it of document.querySelectorAll(selector)) {
    if (!holds(it)) {
      wrong.push(rule + ": " + named(it));
    }
  }
};
if (!document.documentElement.lang) {
  wrong.push("no language");
}
if (document.querySelectorAll("h1").length !== 1) {
  wrong.push("not one h1");
}
if (window.hacked !== undefined) {
  wrong.push("a foreign script ran");
}
const ids = [...document.querySelectorAll("[id]")].map((it) => it.id);
ids.filter((it, i) => ids.indexOf(it) !== i).forEach((it) => wrong.push("id twice: " + it));
check("img, iframe, object, embed", "foreign element", () => false);
check("body script, style, [onclick], [onerror], [onload]", "inline script or style", () => false);
check("input:not([type=hidden])", "no label", (it) => it.labels?.length > 0 || it.ariaLabel);
check("button, a", "no text", (it) => it.textContent.trim() || it.ariaLabel);
check("th", "no scope", (it) => it.scope);
check("table", "no header", (it) => it.querySelector("th"));
check("[aria-labelledby]", "labelled by nothing", (it) => document.getElementById(it.getAttribute("aria-labelledby")));
check("[aria-describedby]", "described by nothing", (it) => document.getElementById(it.getAttribute("aria-describedby")));
check("progress, meter", "no name", (it) => it.ariaLabel || it.ariaHidden === "true");
check("form[method=post]:not([action$='/signin'])", "no CSRF token", (it) => it.elements.csrf?.value);

// The contrast of every text with its background.
const canvas = document.createElement("canvas");
canvas.width = canvas.height = 1;
const brush = canvas.getContext("2d", { willReadFrequently: true });
const rgba = (color) => {
  brush.clearRect(0, 0, 1, 1);
  brush.fillStyle = color;
  brush.fillRect(0, 0, 1, 1);
  return [...brush.getImageData(0, 0, 1, 1).data];
};
const light = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((it) => it / 255).map((it) =>
    it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const behind = (it) => {
  for (let at = it; at; at = at.parentElement) {
    const color = rgba(getComputedStyle(at).backgroundColor);
    if (color[3] === 255) {
      return color;
    }
  }
  return [255, 255, 255, 255];
};
const seen = new Set();
for (const it of document.body.querySelectorAll("*")) {
  const ownText = [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const style = getComputedStyle(it);
  if (!ownText || !it.checkVisibility() || it.closest(".unseen, .skip, .plot")) {
    continue;
  }
  const back = behind(it);
  const both = [light(rgba(style.color)), light(back)].sort((a, b) => b - a);
  const ratio = (both[0] + 0.05) / (both[1] + 0.05);
  const kind = it.tagName + "." + it.className + ratio.toFixed(1);
  if (ratio < 4.5 && !seen.has(kind)) {
    seen.add(kind);
    wrong.push("contrast " + ratio.toFixed(2) + ": " + named(it));
  }
}
return wrong;
