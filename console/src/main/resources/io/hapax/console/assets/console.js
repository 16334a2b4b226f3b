// Progressive enhancement of the pages. Every view and every action works without this script.
(() => {
  "use strict";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  // The theme: that of the system until the user chooses one.
  const theme = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  for (const button of document.querySelectorAll("[data-toggle-theme]")) {
    button.hidden = false;
    const show = () => button.setAttribute("aria-pressed", String(theme() === "dark"));
    button.addEventListener("click", () => {
      root.dataset.theme = theme() === "dark" ? "light" : "dark";
      try {
        localStorage.setItem("hapax-theme", root.dataset.theme);
      } catch (unavailable) {
        // The browser forbids storage: the choice holds for this page only.
      }
      show();
      draw();
    });
    show();
  }
  dark.addEventListener("change", () => draw());

  // Curves: one small plot for each figure with a column in the table of values.
  const KEPT = 300;
  const SHOWN = 30;
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" });
  const table = document.querySelector("[data-at]");
  const columns = [...document.querySelectorAll("[data-series]")];
  const numbers = (text) => text.split(",").map((it) => it === "NaN" ? null : Number(it));
  const at = table ? numbers(table.dataset.at) : [];
  const series = new Map(columns.map((it) => [it.dataset.series, numbers(it.dataset.values)]));
  const plots = new Map();
  // The axis of time: at least a minute, up to the newest reading.
  const range = () => [Math.min(at[0], at.at(-1) - 60000), at.at(-1)];

  function options(name, width) {
    const style = getComputedStyle(root);
    const color = (of) => {
      const probe = document.createElement("span");
      probe.style.color = style.getPropertyValue(of);
      document.body.append(probe);
      const resolved = getComputedStyle(probe).color;
      probe.remove();
      return resolved;
    };
    return {
      width, height: 48, ms: 1, legend: { show: false }, cursor: { show: false },
      axes: [{ show: false }, { show: false }],
      scales: { x: { range }, y: { range: (plot, low, high) => [Math.max(1, high ?? 0) * -0.06, Math.max(1, high ?? 0) * 1.1] } },
      series: [{}, { label: name, stroke: color("--accent"), width: 1.5,
        fill: color("--accent").replace("rgb(", "rgba(").replace(")", ", 0.1)"),
        points: { show: at.length < 3 } }],
    };
  }

  function draw() {
    for (const it of plots.values()) {
      it.destroy();
    }
    plots.clear();
    show();
  }

  // Puts each plot into its place, which the server may just have sent anew.
  function show() {
    const seen = document.querySelector(".range");
    if (!window.uPlot || !seen) {
      return;
    }
    seen.textContent = range().map((it) => clock.format(new Date(it))).join(" – ");
    for (const [name, values] of series) {
      const place = document.querySelector(`[data-curve="${name}"] .plot`);
      if (place && plots.has(name)) {
        plots.get(name).setData([at, values]);
        place.replaceChildren(plots.get(name).root);
      } else if (place) {
        plots.set(name, new uPlot(options(name, place.clientWidth), [at, values], place));
      }
    }
  }

  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) {
      width = innerWidth;
      draw();
    }
  });

  function append(point) {
    if (!table || point.at <= at.at(-1)) {
      return;
    }
    const row = table.tBodies[0].insertRow(0);
    const time = document.createElement("th");
    time.scope = "row";
    time.textContent = clock.format(new Date(point.at));
    row.append(time);
    at.push(point.at);
    for (const [name, values] of series) {
      const value = typeof point.values[name] === "number" ? point.values[name] : null;
      values.push(value);
      const cell = row.insertCell();
      cell.className = "number";
      cell.textContent = value === null ? "–" : value.toLocaleString("en-US", { maximumFractionDigits: 1 });
    }
    for (const all of [at, ...series.values()]) {
      all.splice(0, all.length - KEPT);
    }
    while (table.tBodies[0].rows.length > SHOWN) {
      table.tBodies[0].deleteRow(-1);
    }
    show();
  }

  // Freshness: the age that the server has sent, and the time since then.
  const OLD = 6000;
  let received = performance.now();
  function tick() {
    const line = document.querySelector(".freshness [data-age]");
    if (!line) {
      return;
    }
    const age = Number(line.dataset.age) + performance.now() - received;
    const word = line.querySelector("b");
    line.classList.toggle("old", age > OLD);
    word.textContent = age > OLD ? word.dataset.text.replace("{0}", Math.floor(age / 1000)) : "";
  }
  setInterval(tick, 500);

  function signedOut() {
    const place = document.querySelector(".freshness");
    if (place) {
      const line = document.createElement("p");
      const link = document.createElement("a");
      line.className = "state old";
      link.href = location.href;
      link.textContent = place.dataset.signIn;
      line.append(place.dataset.signedOut, " ", link);
      place.replaceChildren(line);
    }
  }
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.xhr.status === 401) {
      signedOut();
    }
  });

  // Server-sent events. One tab reads each stream and passes the events on, because a browser opens
  // six connections to a console at most. Without the means to share, each tab polls.
  const shares = window.BroadcastChannel && navigator.locks;
  const pause = (millis) => new Promise((resume) => setTimeout(resume, millis));

  // Replaces a part of the page if it has changed; the keyboard goes on where it was.
  const swapped = new WeakMap();
  function swap(place, data) {
    if (swapped.get(place) === data) {
      return;
    }
    swapped.set(place, data);
    const controls = () => [...place.querySelectorAll("a, button, input, summary")];
    const focused = controls().indexOf(document.activeElement);
    place.innerHTML = data;
    controls()[focused]?.focus({ preventScroll: true });
  }

  function deliver(address, { type, data }) {
    if (type === "signed-out") {
      signedOut();
      return;
    }
    for (const within of document.querySelectorAll(`[sse-connect="${address}"]`)) {
      for (const place of [within, ...within.querySelectorAll("[sse-swap]")]) {
        if (place.getAttribute("sse-swap") === type) {
          swap(place, data);
        }
      }
      if (type === "end" && within.getAttribute("sse-close") === type) {
        location.reload();
      }
    }
    if (type === "state") {
      received = performance.now();
      tick();
    } else if (type === "figures") {
      show();
    } else if (type === "series") {
      append(JSON.parse(data));
    }
  }

  function parsed(text) {
    const lines = text.split("\n");
    const of = (field) => lines.filter((it) => it.startsWith(field)).map((it) => it.slice(field.length));
    return { type: of("event: ").join(), data: of("data: ").join("\n") };
  }

  async function read(address, often, pass) {
    while (true) {
      try {
        const answer = await fetch(often ? address + "?once" : address);
        const events = (answer.headers.get("Content-Type") ?? "").startsWith("text/event-stream");
        if (answer.status === 401 || (answer.ok && !events)) {
          pass({ type: "signed-out" }); // or the application shows its own page to sign in
          return;
        }
        const reader = (answer.ok ? answer : new Response("")).body.getReader();
        const decoder = new TextDecoder();
        let text = "";
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          const whole = (text + decoder.decode(part.value, { stream: true })).split("\n\n");
          text = whole.pop();
          whole.map(parsed).forEach(pass);
        }
      } catch (unreachable) {
        // The line of the state gets old meanwhile.
      }
      await pause(often ?? 2000);
    }
  }

  for (const address of new Set([...document.querySelectorAll("[sse-connect]")].map((it) => it.getAttribute("sse-connect")))) {
    const job = address.includes("/jobs/");
    if (job || !shares) {
      read(address, job ? 700 : 2000, (event) => deliver(address, event));
    } else {
      const name = `hapax ${document.documentElement.lang} ${address}`;
      const channel = new BroadcastChannel(name);
      channel.onmessage = (event) => deliver(address, event.data);
      navigator.locks.request(name, () => read(address, null, (event) => {
        channel.postMessage(event);
        deliver(address, event);
      }));
    }
  }

  // A button of the demo: shows why it was refused without leaving the page.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, target } = event.detail;
    if (target.id === "notice" && xhr.status >= 400) {
      event.detail.shouldSwap = xhr.responseText.includes('id="trial"');
      if (!event.detail.shouldSwap) {
        location.reload(); // the session has ended
      }
    }
  });

  // The next page of rows: moves the focus to the first new row.
  let rowsBefore = null;
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target?.id === "rows") {
      rowsBefore = event.detail.target.previousElementSibling;
    }
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (rowsBefore) {
      rowsBefore.nextElementSibling?.querySelector("a, button")?.focus();
      rowsBefore = null;
    }
  });

  // The key / moves the focus to the field for an id, unless the user types.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=checkbox]), textarea, select");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      document.querySelector("[data-find]")?.select();
    }
  });

  // The box in the header selects all rows of its table.
  for (const all of document.querySelectorAll("[data-select]")) {
    all.hidden = false;
    all.addEventListener("change", () => {
      for (const box of document.querySelectorAll(`[type=checkbox][name="${all.dataset.select}"]`)) {
        box.checked = all.checked;
      }
    });
  }

  // Prevents a second submission of a form.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method === "post" && !form.hasAttribute("hx-post")) {
      if (form.dataset.sent) {
        event.preventDefault();
      }
      form.dataset.sent = "yes";
    }
  });
  addEventListener("pageshow", () => {
    for (const form of document.forms) {
      delete form.dataset.sent;
    }
  });

  show();
  tick();
})();
