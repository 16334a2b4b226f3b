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

  // Curves. The table of each curve has the newest points; the series address returns all points.
  const KEPT = 300;
  const SHOWN = 30;
  const COUNTERS = new Set(["executed", "duplicates", "busy", "takeovers"]);
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" });
  const plots = new Map();
  const series = { at: [], of: new Map() };

  function readTables() {
    for (const curve of document.querySelectorAll("[data-curve]")) {
      const rows = [...curve.querySelector("tbody").rows].reverse();
      const numbers = (name) => rows.map((row) =>
        row.dataset[name] === "" || row.dataset[name] === "NaN" ? null : Number(row.dataset[name]));
      series.at = numbers("at");
      series.of.set(curve.dataset.curve, numbers("value"));
    }
  }

  async function readSeries() {
    const place = document.querySelector("[data-series]");
    if (!place) {
      return;
    }
    readTables();
    draw();
    try {
      const answer = await fetch(place.dataset.series);
      const all = await answer.json();
      series.at = all.at;
      series.of = new Map(Object.entries(all.series));
      draw();
    } catch (unreachable) {
      // The request failed: the curve shows the points of its table only.
    }
  }

  const dataOf = (name) => [series.at, series.of.get(name) ?? series.at.map(() => null)];

  function options(curve, width) {
    const style = getComputedStyle(root);
    const color = (name) => {
      const probe = document.createElement("span");
      probe.style.color = style.getPropertyValue(name);
      document.body.append(probe);
      const resolved = getComputedStyle(probe).color;
      probe.remove();
      return resolved;
    };
    const axis = { stroke: color("--quiet"), grid: { stroke: color("--line"), width: 1 },
      ticks: { show: false }, font: "11px system-ui", size: 28 };
    return {
      width, height: 140, tzDate: (at) => uPlot.tzDate(new Date(at * 1e3), "Etc/UTC"),
      legend: { show: false },
      cursor: { points: { size: 6 } },
      // The axis starts at zero, except for a counter with large values, whose slope matters.
      scales: { x: { range: (plot, low, high) => [Math.min(low ?? 0, (high ?? 0) - 60), high ?? 0] }, y: { range: (plot, low, high) => COUNTERS.has(curve.dataset.curve) && low > high / 2
        ? [low - (high - low || 1) * 0.1, high + (high - low || 1) * 0.1]
        : [Math.min(0, low ?? 0), Math.max(1, (high ?? 0) * 1.1)] } },
      axes: [{ ...axis, space: 70, values: (plot, splits) =>
          splits.map((at) => clock.format(new Date(at * 1e3))) },
        { ...axis, size: 52, space: 32, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4,
          5e4, 1e5, 2e5, 5e5, 1e6, 1e7, 1e8, 1e9] }],
      series: [{}, { label: curve.dataset.curve, stroke: color("--accent"), width: 1.75,
        fill: color("--accent").replace("rgb(", "rgba(").replace(")", ", 0.1)"),
        points: { show: series.at.length < 3 }, spanGaps: false }],
    };
  }

  function draw() {
    if (!window.uPlot) {
      return;
    }
    for (const curve of document.querySelectorAll("[data-curve]")) {
      const place = curve.querySelector(".plot");
      plots.get(curve)?.destroy();
      plots.set(curve, new uPlot(options(curve, place.clientWidth), dataOf(curve.dataset.curve), place));
    }
  }

  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) {
      width = innerWidth;
      draw();
    }
  });

  function append(at, values) {
    if (at <= series.at.at(-1)) {
      return;
    }
    series.at = [...series.at, at].slice(-KEPT);
    for (const curve of document.querySelectorAll("[data-curve]")) {
      const name = curve.dataset.curve;
      const value = values[name] ?? null;
      series.of.set(name, [...(series.of.get(name) ?? []), value].slice(-series.at.length));
      const body = curve.querySelector("tbody");
      const row = body.insertRow(0);
      const time = document.createElement("th");
      time.scope = "row";
      time.textContent = clock.format(new Date(at * 1e3));
      const cell = document.createElement("td");
      cell.className = "number";
      cell.textContent = value === null ? "–" : value.toLocaleString("en-US", { maximumFractionDigits: 1 });
      row.append(time, cell);
      while (body.rows.length > SHOWN) {
        body.deleteRow(-1);
      }
      plots.get(curve)?.setData(dataOf(name));
    }
  }

  // Server-sent events: the htmx extension swaps fragments; this code adds the points of curves.
  document.addEventListener("htmx:sseBeforeMessage", (event) => {
    if (event.detail.type === "series") {
      event.preventDefault();
      const point = JSON.parse(event.detail.data);
      append(point.at, point.values);
    }
  });
  const connection = (lost) => {
    for (const sign of document.querySelectorAll(".live")) {
      sign.classList.toggle("lost", lost);
      sign.textContent = lost ? sign.dataset.lost : sign.dataset.live;
    }
  };
  document.addEventListener("htmx:sseOpen", () => connection(false));
  document.addEventListener("htmx:sseError", () => connection(true));
  document.addEventListener("htmx:sseClose", (event) => {
    if (event.detail.type === "message" && document.querySelector("[data-reload]")) {
      location.reload();
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

  // The box in the header selects all rows of its table.
  for (const all of document.querySelectorAll("[data-select]")) {
    all.hidden = false;
    all.addEventListener("change", () => {
      for (const box of document.querySelectorAll(`input[name="${all.dataset.select}"]`)) {
        box.checked = all.checked;
      }
    });
  }

  // Prevents a second submission of a form.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method === "post") {
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

  readSeries();
})();
