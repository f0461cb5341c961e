/* report_page.js - the page of a load test: figures, charts and tables from the JSON object in the page.
 *
 * When all is drawn, <html data-ready> says what: {"charts": [{"title", "series", "points",
 * "drawn"}], "tables": [...], "overflow", "errors": [...]}: pixels drawn of each chart, titles of tables, and by how
 * many pixels the page is too wide.
 */
"use strict";
(function () {
  const d = JSON.parse(document.getElementById("data").textContent);
  const ready = {charts: [], errors: []};
  const plots = [];

  window.addEventListener("error", event => {
    ready.errors.push(String(event.message));
    document.documentElement.dataset.ready = JSON.stringify(ready);
  });

  /* ---- words and numbers ---- */

  const plain = new Intl.NumberFormat("en", {maximumFractionDigits: 0});

  function rounded(value, digits) {
    return Number(value.toPrecision(digits));
  }

  /* 12345678 -> 12.3 M */
  function short(value) {
    for (const [unit, letter] of [[1e9, " G"], [1e6, " M"], [1e3, " k"]]) {
      if (Math.abs(value) >= unit) {
        return rounded(value / unit, 3) + letter;
      }
    }
    return String(rounded(value, 3));
  }

  /* Microseconds in the unit that fits. */
  function time(us) {
    return us >= 1e6 ? rounded(us / 1e6, 3) + " s" : us >= 1e3 ? rounded(us / 1e3, 3) + " ms" : rounded(us, 3) + " \u00b5s";
  }

  function percent(part) {
    const value = 100 * part;
    return (value === 0 ? "0" : value < 0.001 ? "< 0.001" : String(rounded(value, 3))) + " %";
  }

  function share(part, whole) {
    return whole === 0 ? "\u2013" : percent(part / whole);
  }

  function octets(value) {
    return value >= 1 << 30 ? rounded(value / (1 << 30), 3) + " GiB" : rounded(value / (1 << 20), 3) + " MiB";
  }

  function element(name, text, parent) {
    const made = document.createElement(name);
    made.textContent = text;
    parent.append(made);
    return made;
  }

  function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  }

  /* ---- the head ---- */

  const isOpen = d.mode !== "run";
  const intervals = d.intervals.filter(i => i.length_s > 0);
  const points = d.points.slice().sort((a, b) => a.offered - b.offered);
  const best = d.point_best === null ? null : d.points[d.point_best];

  document.title = "saker bench " + d.mode + ": " + d.settings.server;
  document.getElementById("title").textContent = "saker bench " + d.mode;
  document.getElementById("subtitle").textContent = d.settings.server + " over " + d.settings.transport.toUpperCase() +
    ", " + new Date(1000 * d.made_at_s).toISOString().replace("T", " ").slice(0, 16) + " UTC";
  document.getElementById("command").textContent = d.command;
  document.getElementById("made").textContent = "Made by saker " + d.version + ". All of its figures are in this file as JSON.";

  const verdict = document.getElementById("verdict");
  const colon = d.verdict.indexOf(":");
  element("b", d.verdict.slice(0, colon), verdict);
  verdict.append(d.verdict.slice(colon));
  verdict.classList.toggle("bound", d.tool_bottleneck);

  function figure(name, value, unit) {
    const box = document.createElement("div");
    element("dt", name, box);
    const dd = element("dd", value, box);
    if (unit) {
      dd.append(" ");
      element("small", unit, dd);
    }
    document.getElementById("figures").append(box);
  }

  function latencyFigures(latency) {
    for (const [key, name] of [["p50", "Median"], ["p99", "99 %"], ["p99_9", "99.9 %"], ["max", "Slowest"]]) {
      if (latency !== null && key in latency) {
        figure(name, ...time(latency[key]).split(" "));
      }
    }
  }

  if (d.mode === "search") {
    const above = d.point_above === null ? null : d.points[d.point_above];
    figure("Highest that held", best ? plain.format(best.offered) : "none", best ? "/s" : "");
    figure("Lowest that did not", above ? plain.format(above.offered) : "none", above ? "/s" : "");
    figure("Confirmations held", d.confirmations.held + " of " + d.confirmations.made);
  } else if (d.mode === "ramp") {
    figure("Highest rate", best ? plain.format(best.rate) : "none", best ? "/s" : "");
  } else if (d.mode === "sweep") {
    figure("Most answers", points.length > 0 ? plain.format(Math.max(...points.map(p => p.rate))) : "none", "/s");
    figure("Rates tried", String(points.length));
    const first = points.findIndex(p => p.lost > 0);
    figure("Nothing lost up to", first === 0 ? "\u2013" : plain.format(points[first < 0 ? points.length - 1 : first - 1].offered), "/s");
  } else {
    figure("Answers", plain.format(d.rate), "/s");
    figure("Lost", share(d.lost, d.sent), "of " + short(d.sent));
    latencyFigures(d.latency_us);
  }
  if (best !== null) {
    figure("Lost there", share(best.lost, best.sent), "of " + short(best.sent));
    latencyFigures(best.latency_us);
  }

  /* ---- charts ---- */

  const font = "12px system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif";

  function axis(values, more) {
    return Object.assign({
      stroke: () => color("soft"), font, gap: 6,
      grid: {stroke: () => color("grid"), width: 1},
      ticks: {show: false},
      border: {show: false},
      values: (u, splits) => splits.map(v => v === null ? null : values(v)),
    }, more);
  }

  function line(label, name, value, more) {
    return Object.assign({
      label, stroke: () => color(name), width: 1.75, value: (u, v) => v === null || v === undefined ? "\u2013" : value(v),
      points: {show: false},
    }, more);
  }

  const dashed = {dash: [5, 4], width: 1.5};

  /* Powers of ten, and 2 and 5 times them where there are few. */
  function logSplits(u, i, low, high) {
    const decades = Math.log10(high / low), splits = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
      for (const digit of decades > 2.5 ? [1] : [1, 2, 5]) {
        const at = Number((digit * 10 ** power).toPrecision(1));
        if (at >= low * 0.999 && at <= high * 1.001) {
          splits.push(at);
        }
      }
    }
    return splits;
  }

  function logAxis(format) {
    return axis(format, {splits: logSplits, size: 62, filter: (u, splits) => splits});
  }

  /* A card with a chart in it; options: uPlot's, without size. */
  function chart(title, about, options, data, minimum) {
    if (data[0].length < (minimum || 2)) {
      return;
    }
    const card = document.createElement("div");
    card.className = "card";
    element("h2", title, card);
    element("p", about, card);
    const place = document.createElement("div");
    place.className = "plot";
    card.append(place);
    document.getElementById("charts").append(card);
    const made = new uPlot(Object.assign({
      width: place.clientWidth, height: 250,
      padding: [10, 22, 0, 0],
      cursor: {points: {size: 7}, drag: {x: true, y: false}},
      legend: {markers: {width: 0, fill: (u, i) => typeof u.series[i].stroke === "function" ? u.series[i].stroke(u, i) : u.series[i].stroke}},
    }, options), data, place);
    plots.push([made, place]);
    ready.charts.push({title, series: data.length - 1, points: data[0].length});
  }

  const seconds = axis(v => rounded(v, 6) + " s", {space: 60, size: 30});
  const atTime = {label: "at", value: (u, v) => v === null || v === undefined ? "\u2013" : rounded(v, 6) + " s"};
  const fromZero = {range: (u, low, high) => [0, high > 0 ? high * 1.08 : 1]};

  /* Values of 0 have no place on a logarithmic axis. */
  function positive(value) {
    return value > 0 ? value : null;
  }

  /* A logarithmic range with whole halves of decades around what is shown. */
  const logRange = {distr: 3, range: (u, low, high) => {
    if (low === null || high === null) {
      return [1, 10];
    }
    const bottom = 10 ** (Math.floor(2 * Math.log10(low)) / 2), top = 10 ** (Math.ceil(2 * Math.log10(high)) / 2);
    return [bottom, top > bottom ? top : bottom * 10];
  }};

  function overTime() {
    const start = intervals.map(i => i.start_s + i.length_s / 2);
    const rate = [start, intervals.map(i => i.due / i.length_s), intervals.map(i => i.answered / i.length_s)];
    const offered = isOpen ? "offered" : "sent";

    chart("Rate", "Queries " + (isOpen ? "due" : "sent") + " and answers, a second", {
      scales: {x: {time: false}, y: fromZero},
      axes: [seconds, axis(short, {size: 58})],
      series: [atTime, line(offered, "gray", short, dashed), line("answered", "blue", short)],
    }, rate);
    chart("Loss", "Share of the queries of each interval that had no answer in time", {
      scales: {x: {time: false}, y: {range: (u, low, high) => [0, high > 0 ? high * 1.08 : 0.01]}},
      axes: [seconds, axis(percent, {size: 58})],
      series: [atTime, line("lost", "red", percent, {
        fill: () => color("red") + "33", paths: uPlot.paths.stepped({align: 0}),
      })],
    }, [start, intervals.map(i => i.sent > 0 ? i.lost / i.sent : null)]);
    const latency = key => intervals.map(i => i.latency_us === null ? null : positive(i.latency_us[key]));
    chart("Latency", isOpen ? "From when a query was due; a lost one counts with the time-out"
                            : "Of timely answers, from when a query was sent", {
      scales: {x: {time: false}, y: logRange},
      axes: [seconds, logAxis(time)],
      series: [atTime, line("slowest", "gray", time, dashed), line("99 %", "orange", time), line("median", "blue", time)],
    }, [start, latency("max"), latency("p99"), latency("p50")]);
  }

  /* Points (-log10(1 - p), value) of a histogram [[ns, count], ...]: each nine is as wide as the one before. */
  function percentiles(histogram) {
    const total = histogram.reduce((sum, [, count]) => sum + count, 0);
    const x = [], y = [];
    let before = 0, group = -1;
    for (const [value, count] of histogram) {
      const us = Math.max(value, 1) / 1000;
      const from = -Math.log10(1 - before / total), at = -Math.log10(1 - (before + count - 0.5) / total);
      before += count;
      if (from - group > 0.02 || at - from > 0.02) {    /* a step, not a slope */
        x.push(from);
        y.push(us);
        group = from;
      }
      if (at - group < 0.004) {    /* less than a pixel since the group began */
        x[x.length - 1] = at;
        y[y.length - 1] = us;
      } else {
        x.push(at);
        y.push(us);
        group = at;
      }
    }
    return [x, y];
  }

  function nines(at) {
    const p = 1 - 10 ** -at;
    return String(Number((100 * p).toFixed(Math.max(1, Math.ceil(at) - 1)))) + " %";
  }

  function everyNine(u, i, low, high) {
    return Array.from({length: Math.floor(high) + 1}, (_, k) => k);
  }

  function distribution() {
    if (d.latency_histogram_ns.length === 0) {
      return;
    }
    const latency = percentiles(d.latency_histogram_ns);
    const hasLateness = d.tool.lateness_histogram_ns.length > 0;
    const data = hasLateness
      ? uPlot.join([latency, percentiles(d.tool.lateness_histogram_ns)]) : latency;
    const series = [
      {label: "at", value: (u, v) => v === null || v === undefined ? "\u2013" : nines(v)},
      line("latency", "blue", time, {spanGaps: true}),
    ];
    if (hasLateness) {
      series.push(line("the tool was late", "gray", time, Object.assign({spanGaps: true}, dashed)));
    }
    chart("Latency distribution", "So many of all queries took no longer; every grid line is one nine more", {
      padding: [10, 36, 0, 0],
      scales: {x: {time: false, range: (u, low, high) => [0, Math.max(1, Math.ceil(high))]}, y: logRange},
      axes: [
        axis(nines, {size: 30, splits: everyNine, values: (u, splits) => {
          const step = Math.ceil(splits.length * 80 / u.width);    /* so that the names have room */
          return splits.map((v, k) => k % step === 0 ? nines(v) : null);
        }}),
        logAxis(time),
      ],
      series,
    }, data, 1);
  }

  function againstRate() {
    if (points.length < 2) {
      return;
    }
    const offered = points.map(p => p.offered);
    const loss = p => p.sent > 0 ? p.lost / p.sent : null;
    const isBound = points.map(p => p.tool_bottleneck);
    const unbound = value => points.map((p, i) => isBound[i] ? null : value(p));
    /* A search comes back to a rate, so that a line between its trials would go up and down. */
    const dots = Object.assign({points: {show: true, size: 6}, spanGaps: true}, d.mode === "search" ? {paths: () => null} : {});
    const rateAxis = axis(short, {space: 56, size: 30});
    const atRate = {label: "offered", value: (u, v) => v === null || v === undefined ? "\u2013" : short(v) + " q/s"};

    /* What the tool was the limit of stays in sight: a thin line through all trials, and hollow points where it was. */
    function withBound(series, rows, value, format) {
      if (isBound.includes(true)) {
        series.splice(1, 0, line("the tool was the limit", "gray", format, Object.assign({}, dots, {
          width: 1,
          value: (u, v, s, i) => i !== null && i !== undefined && isBound[i] ? format(v) : "\u2013",
          points: {show: true, size: 7, fill: () => color("card"), filter: () => isBound.flatMap((bound, i) => bound ? [i] : [])},
        })));
        rows.splice(1, 0, points.map(value));
      }
      return [series, rows];
    }

    let [series, rows] = withBound([atRate, line("lost", "red", percent, dots)], [offered, unbound(loss)], loss, percent);
    chart("Loss against offered rate", "Of the queries of each trial", {
      scales: {x: {time: false}, y: {range: (u, low, high) => [0, high > 0 ? high * 1.08 : 0.01]}},
      axes: [rateAxis, axis(percent, {size: 58})],
      series,
    }, rows);
    [series, rows] = withBound([atRate, line("all answered", "gray", short, dashed), line("answered", "blue", short, dots)],
                               [offered, offered, unbound(p => p.rate)], p => p.rate, short);
    chart("Answers against offered rate", "A second, in each trial", {
      scales: {x: {time: false}, y: fromZero},
      axes: [rateAxis, axis(short, {size: 58})],
      series,
    }, rows);
    chart("Latency against offered rate", "A lost query counts with the time-out", {
      scales: {x: {time: false}, y: logRange},
      axes: [rateAxis, logAxis(time)],
      series: [atRate, line("99 %", "orange", time, dots), line("median", "blue", time, dots)],
    }, [offered, points.map(p => positive(p.latency_us.p99)), points.map(p => positive(p.latency_us.p50))]);
  }

  /* ---- tables ---- */

  function table(title, rows) {
    rows = rows.filter(row => row !== null);
    if (rows.length === 0) {
      return;
    }
    const card = document.createElement("div");
    card.className = "card";
    element("h2", title, card);
    const body = document.createElement("table");
    for (const [name, value] of rows) {
      const row = document.createElement("tr");
      element("th", name, row).scope = "row";
      element("td", value, row);
      body.append(row);
    }
    card.append(body);
    document.getElementById("tables").append(card);
  }

  function pointTable() {
    if (d.points.length === 0 || d.mode === "ramp") {
      return;
    }
    const card = document.createElement("div");
    card.className = "card wide";
    element("h2", "Trials", card);
    const body = document.createElement("table");
    const head = document.createElement("tr");
    for (const name of ["offered, q/s", "answered, 1/s", "lost", "median", "99 %", "99.9 %", ""]) {
      element("th", name, head).scope = "col";
    }
    body.append(head);
    d.points.forEach((p, i) => {
      const row = document.createElement("tr");
      const note = p.tool_bottleneck ? "the tool was the limit" : d.mode !== "search" ? "" : p.held ? "held" : "failed";
      for (const text of [plain.format(p.offered), plain.format(p.rate), share(p.lost, p.sent), time(p.latency_us.p50),
                          time(p.latency_us.p99), time(p.latency_us.p99_9), note]) {
        element("td", text, row);
      }
      row.className = i === d.point_best && d.mode === "search" ? "best" : "";
      body.append(row);
    });
    card.append(body);
    document.getElementById("tables").append(card);
  }

  const differingShown = 100;

  function differingTable() {
    if (d.check === null || d.check.queries.length === 0) {
      return;
    }
    const card = document.createElement("div");
    card.className = "card wide left";
    element("h2", "Answers that differ", card);
    const body = document.createElement("table");
    for (const {query, kinds} of d.check.queries.slice(0, differingShown)) {
      const row = document.createElement("tr");
      element("td", query, row);
      element("td", kinds.join(", "), row);
      body.append(row);
    }
    card.append(body);
    if (d.check.queries.length > differingShown) {
      element("p", "and " + plain.format(d.check.queries.length - differingShown) + " more queries, in the JSON", card);
    }
    document.getElementById("tables").append(card);
  }

  function optional(name, value) {
    return value === 0 ? null : [name, plain.format(value)];
  }

  function tables() {
    pointTable();
    table("Queries", [
      ["sent", plain.format(d.sent)],
      ["answered", plain.format(d.answered)],
      ["lost", plain.format(d.lost)],
      optional("of them answered too late", d.late),
      optional("interrupted", d.interrupted),
      optional("not sent", d.unsent),
      optional("refused", d.refused),
      ["length", rounded(d.seconds, 6) + " s"],
      ["octets of an answer", d.answered === 0 ? "\u2013" : String(rounded(d.octets / d.answered, 4))],
    ].concat(Object.entries(d.rcodes).map(([name, count]) => [name, plain.format(count) + " (" + share(count, d.answered) + ")"])));
    table("Not counted as answers", [
      optional("to another question", d.mismatched),
      optional("that nobody asked for", d.unmatched),
      optional("a second time", d.duplicate),
      optional("malformed", d.malformed),
    ]);
    if (d.check !== null) {
      table("Answers compared", [
        ["compared", plain.format(d.check.compared)],
        ["differ", plain.format(d.check.differing) + " (" + share(d.check.differing, d.check.compared) + ")"],
      ].concat(Object.entries(d.check.by_kind).filter(([, count]) => count > 0).map(([name, count]) => [name, plain.format(count)])));
    }
    table("The tool", [
      ["processor time a query", time(d.tool_cpu_us_a_query)],
      ["busy", percent(d.tool_busy)],
      ["answers without room", plain.format(d.tool.dropped)],
      d.tool.lateness_us === null ? null : ["sent late, 99 %", time(d.tool.lateness_us.p99)],
      d.tool.lateness_us === null ? null : ["sent late, at most", time(d.tool.lateness_us.max)],
    ]);
    if (d.server !== null) {
      table("The server, on the same machine", [
        ["processor time an answer", d.server.cpu_us_an_answer === null ? "\u2013" : time(d.server.cpu_us_an_answer)],
        ["queries without room", plain.format(d.server.dropped)],
        ["processes", String(d.server.processes)],
      ]);
    }
    if (d.settings.transport !== "udp") {
      table("Connections", [
        ["opened", plain.format(d.connections)],
        ["of them after the server had closed", plain.format(d.reconnects)],
        ["queries asked again", plain.format(d.resent)],
        ["answers out of order", plain.format(d.out_of_order)],
      ]);
    }
    table("Settings", [
      ["server", d.settings.server],
      ["transport", d.settings.transport],
      ["queries in the file", plain.format(d.settings.queries)],
      ["sockets", plain.format(d.settings.sockets)],
      ["in flight, at most", plain.format(d.settings.in_flight)],
      ["threads", plain.format(d.settings.threads)],
      ["time-out", rounded(d.settings.timeout_s, 6) + " s"],
    ]);
    table("Machine", [
      ["processor", d.machine.processor || "\u2013"],
      ["usable processors", String(d.machine.processors)],
      ["memory", octets(d.machine.memory)],
      ["kernel", d.machine.kernel],
    ]);
    differingTable();
  }

  if (d.points.length > 1) {
    againstRate();
  }
  distribution();
  overTime();
  tables();

  /* ---- what changes later: width and colours ---- */

  const observer = new ResizeObserver(() => plots.forEach(([plot, place]) => {
    if (place.clientWidth > 0 && place.clientWidth !== plot.width) {
      plot.setSize({width: place.clientWidth, height: 250});
    }
  }));
  plots.forEach(([, place]) => observer.observe(place));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => plots.forEach(([plot]) => plot.redraw(false, true)));

  /* Canvases are drawn in a microtask; after the next frame their pixels can be counted. */
  requestAnimationFrame(() => requestAnimationFrame(() => {
    plots.forEach(([plot], i) => {
      const canvas = plot.ctx.canvas;
      const pixels = plot.ctx.getImageData(0, 0, canvas.width, canvas.height).data;
      let drawn = 0;
      for (let at = 3; at < pixels.length; at += 4) {
        drawn += pixels[at] !== 0;
      }
      ready.charts[i].drawn = drawn;
    });
    ready.tables = Array.from(document.querySelectorAll("#tables h2"), title => title.textContent);
    ready.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    document.documentElement.dataset.ready = JSON.stringify(ready);
  }));
})();
