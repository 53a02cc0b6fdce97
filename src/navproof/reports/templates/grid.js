const grid = (place, data, open) => {
  "use strict";
  const make = (tag, words, props) => {
    const one = document.createElement(tag);
    if (words !== undefined) one.textContent = words;
    return Object.assign(one, props || {});
  };
  const { columns, rows, shown } = data;
  const value = (row, c) => columns[c].values ? columns[c].values[row[c]] : row[c];
  const words = rows.map((row) => columns.map((_, c) => value(row, c)).filter((v) => v !== null).join(" ").toLowerCase());
  const filters = make("div"), chosen = new Map();
  filters.className = "filters";
  const search = make("input", undefined, { type: "search", placeholder: "Search" });
  search.setAttribute("aria-label", "Search in all columns");
  filters.append(search);
  columns.forEach((column, c) => {
    if (!column.values || column.values.length < 2) return;
    const select = make("select");
    select.setAttribute("aria-label", column.name);
    select.append(make("option", `${column.name}: all`, { value: "" }));
    const order = column.values.map((v, i) => [v, i]).sort((a, b) => a[0].localeCompare(b[0], "en", { numeric: true }));
    for (const [v, i] of order) select.append(make("option", v === "" ? "(none)" : v.length > 60 ? v.slice(0, 59) + "…" : v, { value: i }));
    select.addEventListener("change", () => { if (select.value === "") chosen.delete(c); else chosen.set(c, Number(select.value)); most = 50; draw(); });
    filters.append(select);
  });
  const count = make("p");
  count.className = "note";
  count.setAttribute("role", "status");
  const scroll = make("div", undefined, { className: "scroll", tabIndex: 0 });
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", data.label || "All episodes");
  const table = make("table"), head = make("thead"), body = make("tbody"), more = make("button", "Show more", { type: "button", className: "more" });
  const line = make("tr");
  let by = -1, down = false, most = 50;
  for (const c of shown) {
    const cell = make("th", undefined, { scope: "col" }), sorter = make("button", columns[c].name, { type: "button", className: "sorter" });
    if (columns[c].number === undefined) cell.style.textAlign = "left";
    sorter.addEventListener("click", () => {
      down = by === c ? !down : false;
      by = c;
      for (const other of line.children) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      draw();
    });
    cell.append(sorter);
    line.append(cell);
  }
  head.append(line);
  table.append(head, body);
  scroll.append(table);
  place.append(filters, count, scroll, more);
  const found = () => {
    const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = rows.map((_, i) => i).filter((i) => [...chosen].every(([c, v]) => rows[i][c] === v) && asked.every((w) => words[i].includes(w)));
    if (by >= 0) {
      const empty = (v) => v === null || v === undefined || v === "";
      left.sort((i, j) => {
        const x = value(rows[i], by), y = value(rows[j], by);
        if (empty(x) || empty(y)) return empty(x) - empty(y) || i - j; // nothing comes last, whichever way
        const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
        return (down ? -order : order) || i - j;
      });
    }
    return left;
  };
  const draw = () => {
    const left = found();
    count.textContent = `${left.length} of ${rows.length}`;
    body.replaceChildren();
    for (const i of left.slice(0, most)) {
      const row = make("tr");
      shown.forEach((c, at) => {
        const v = value(rows[i], c), digits = columns[c].number;
        const said = v === null || v === undefined || v === "" ? "–" : digits === undefined ? String(v) : v.toFixed(digits).replace("-", "−");
        const cell = make(at ? "td" : "th");
        if (digits === undefined) cell.className = "words";
        if (!at) {
          cell.scope = "row";
          const opener = make("button", said, { type: "button", className: "opener" });
          opener.setAttribute("aria-expanded", "false");
          opener.addEventListener("click", () => {
            const under = row.nextElementSibling;
            const is = under && under.classList.contains("detail");
            opener.setAttribute("aria-expanded", String(!is));
            if (is) return under.remove();
            const detail = make("tr", undefined, { className: "detail" }), wide = make("td", undefined, { colSpan: shown.length });
            wide.append(open(i, make));
            detail.append(wide);
            row.after(detail);
          });
          cell.append(opener);
        } else cell.textContent = said.length > 90 ? said.slice(0, 89) + "…" : said;
        row.append(cell);
      });
      body.append(row);
    }
    more.hidden = left.length <= most;
    more.textContent = `Show more (${left.length - most} left)`;
  };
  search.addEventListener("input", () => { most = 50; draw(); });
  more.addEventListener("click", () => { most += 200; draw(); });
  draw();
};
const command = (make, text) => {
  const box = make("div", undefined, { className: "command" }), code = make("code", text), copy = make("button", "Copy", { type: "button" });
  copy.addEventListener("click", () => {
    const done = () => { copy.textContent = "Copied"; setTimeout(() => { copy.textContent = "Copy"; }, 1500); };
    const select = () => { getSelection().selectAllChildren(code); copy.textContent = "Selected"; };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, select); else select();
  });
  box.append(code, copy);
  return box;
};
