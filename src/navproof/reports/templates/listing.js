{% include "grid.js" %}
for (const place of document.querySelectorAll('[data-grid="list"]')) {
  const data = JSON.parse(document.getElementById("data-episodes").textContent);
  const quoted = (word) => /^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\"'\"'") + "'";
  const safe = (word) => word.replace(/[^\p{L}\p{N}_.@=+-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "") || "x";
  const shape = (name, attributes) => {
    const one = document.createElementNS(document.querySelector("svg").namespaceURI, name);
    for (const [key, v] of Object.entries(attributes)) one.setAttribute(key, v);
    return one;
  };
  const pairs = (flat) => flat.filter((_, i) => i % 2 === 0).map((u, i) => [u, flat[2 * i + 1]]);
  const plan = (detail, label) => {
    const floor = data.plans[detail.p];
    const svg = shape("svg", { viewBox: `0 0 ${floor.w} ${floor.h}`, role: "img", class: "plan" });
    svg.setAttribute("aria-label", label);
    const base = shape("g", {});
    base.innerHTML = floor.g;
    svg.append(base);
    for (const [cx, cy] of pairs(detail.g)) svg.append(shape("circle", { class: "viewpoint", cx, cy, r: 4 }));
    const points = detail.w.length > 2 ? pairs(detail.w) : [...pairs(detail.w), ...pairs(detail.w)];
    const walk = shape("g", { class: `walk s${detail.s}` });
    walk.append(shape("polyline", { class: "path", points: points.map((p) => p.join(",")).join(" ") }));
    const [end] = points.slice(-1);
    walk.append(shape("circle", { class: "mark", cx: end[0], cy: end[1], r: 6 }));
    svg.append(walk, shape("circle", { class: "start", cx: points[0][0], cy: points[0][1], r: 5 }));
    return svg;
  };
  // frames lie beside this page, wherever that is
  const folder = location.protocol === "file:" ? decodeURIComponent(location.pathname).replace(/[^/]*$/, "") : "";
  grid(place, data, (i, make) => {
    const row = data.rows[i], detail = data.details[i], run = data.runs[detail.r];
    const at = (name) => data.columns.findIndex((c) => c.name === name);
    const said = (name) => data.columns[at(name)].values[row[at(name)]];
    const agent = data.asked.length ? data.asked[i] : data.agent;
    const box = make("div", undefined, { className: "opened" }), side = make("div");
    if (detail.p !== undefined) box.append(plan(detail, `The way of ${agent} in ${row[0]}: ${said("Outcome")}`));
    const facts = make("dl", undefined, { className: "numbers" });
    data.columns.forEach((column, c) => {
      const v = column.values ? column.values[row[c]] : row[c];
      if (!c || v === null || v === "") return;
      const one = make("div");
      one.append(make("dt", column.name), make("dd", column.number === undefined ? String(v) : v.toFixed(column.number).replace("-", "−")));
      facts.append(one);
    });
    side.append(facts);
    if (detail.n) {
      const words = make("p", undefined, { className: "note" });
      words.append(make("a", "Its frames, step by step, are below", { href: `#episode-${detail.n}` }));
      side.append(words);
    }
    const stem = [row[0], agent, said("Condition"), ...(detail.d ? [`seed${detail.d}`] : [])].map(safe).join("__");
    const file = `${data.runs.length > 1 ? run.name + "__" : ""}${stem}.png`;
    const words = make("p", "Its frames, made by this command, ", { className: "note" });
    words.append(make("a", "open here", { href: `frames/${encodeURIComponent(file)}`, target: "_blank", rel: "noopener" }), ":");
    side.append(words, command(make, `navproof replay ${quoted(run.run)} ${quoted(row[0])} -a ${quoted(agent)} -c ${quoted(said("Condition"))}${detail.d ? ` --seed ${detail.d}` : ""} -o ${quoted(`${folder}frames/${file}`)}`));
    box.append(side);
    return box;
  });
}
