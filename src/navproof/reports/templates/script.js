(() => {
  "use strict";
  const root = document.documentElement;
  const button = document.querySelector(".theme");
  const modes = ["auto", "light", "dark"];
  let mode = 0;
  button.hidden = false;
  button.addEventListener("click", () => {
    mode = (mode + 1) % modes.length;
    if (mode) root.dataset.theme = modes[mode]; else delete root.dataset.theme;
    button.textContent = "Theme: " + modes[mode];
  });

  for (const group of document.querySelectorAll("[data-switch]")) {
    const buttons = group.querySelectorAll("button");
    const panels = document.querySelectorAll(`[data-panel="${group.dataset.switch}"]`);
    const show = (name) => {
      for (const b of buttons) b.setAttribute("aria-pressed", String(b.value === name));
      for (const p of panels) p.classList.toggle("hidden", p.dataset.name !== name);
    };
    group.hidden = false;
    for (const b of buttons) b.addEventListener("click", () => show(b.value));
    show(buttons[0].value);
  }

  for (const head of document.querySelectorAll("table.sortable thead th")) {
    const label = head.innerHTML;
    head.innerHTML = "";
    const sorter = document.createElement("button");
    sorter.className = "sorter";
    sorter.type = "button";
    sorter.innerHTML = label;
    head.append(sorter);
    sorter.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const at = [...head.parentNode.children].indexOf(head);
      const body = head.closest("table").tBodies[0];
      const value = (row) => {
        const cell = row.cells[at];
        return cell.dataset.sort === undefined ? cell.textContent.trim() : Number(cell.dataset.sort);
      };
      const rows = [...body.rows].sort((a, b) => {
        const x = value(a), y = value(b);
        return typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
      });
      if (down) rows.reverse();
      body.append(...rows);
    });
  }

  for (const episode of document.querySelectorAll(".episode")) {
    const stage = episode.querySelector(".stage");
    const slider = episode.querySelector(".scrub input");
    const output = episode.querySelector(".scrub output");
    const cursor = episode.querySelector(".cursor");
    const pointers = [...episode.querySelectorAll(".pointer")].map((g) => ({
      // legs to several goals share a point where one ends and the next begins
      g, at: [...g.parentNode.querySelectorAll(".path")].flatMap((p, i) => p.getAttribute("points").split(" ").slice(i ? 1 : 0)).map((p) => p.split(",")), yaw: g.dataset.yaw.split(" "),
    }));
    const last = Number(slider.max), now = episode.querySelector(".now");
    const strips = [...episode.querySelectorAll(".strip")].map((strip) => {
      const frames = strip.querySelector(".frames");
      const shots = [...frames.querySelectorAll("figure")].map((figure) => ({ figure, step: Number(figure.dataset.step) }));
      const picture = document.createElement("img"), caption = document.createElement("figcaption"), figure = document.createElement("figure");
      figure.append(picture, caption);
      now.append(figure);
      return { frames, shots, picture, caption, whose: strip.querySelector(".whose").textContent };
    });
    const turn = (step) => {
      now.hidden = !strips.length;
      for (const { frames, shots, picture, caption, whose } of strips) {
        // the frame that is nearest in time
        const shot = shots.reduce((a, b) => Math.abs(b.step - step) < Math.abs(a.step - step) ? b : a);
        for (const { figure } of shots) figure.classList.toggle("current", figure === shot.figure);
        const shown = shot.figure.querySelector("img");
        if (picture.src !== shown.src) picture.src = shown.src;
        picture.alt = shown.alt;
        caption.textContent = `${whose} · step ${shot.step}`;
        frames.scrollTo({ left: shot.figure.offsetLeft - frames.offsetLeft - (frames.clientWidth - shot.figure.clientWidth) / 2 });
      }
    };
    slider.closest(".scrub").hidden = false;
    const move = () => {
      const step = Number(slider.value);
      episode.classList.add("scrubbing");
      turn(step);
      output.textContent = `${step} of ${last}`;
      slider.setAttribute("aria-valuetext", `step ${step} of ${last}`);
      for (const { g, at, yaw } of pointers) {
        const i = Math.min(step, at.length - 1);
        g.setAttribute("transform", `translate(${at[i][0]} ${at[i][1]}) rotate(${yaw[i]})`);
      }
      if (cursor) {
        const from = Number(cursor.dataset.start), to = Number(cursor.dataset.end);
        const x = from + (to - from) * (last ? step / last : 0);
        cursor.setAttribute("x1", x);
        cursor.setAttribute("x2", x);
      }
    };
    slider.addEventListener("input", move);
    const legs = episode.querySelector(".legs");
    if (legs) {
      legs.hidden = false;
      const buttons = legs.querySelectorAll("button");
      for (const b of buttons) b.addEventListener("click", () => {
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === b));
        for (const leg of stage.querySelectorAll("[data-goal]")) leg.classList.toggle("hidden", b.value !== "" && leg.dataset.goal !== b.value);
      });
    }
    for (const row of episode.querySelectorAll("tr[data-agent]")) {
      const lit = (on) => {
        stage.classList.toggle("dim", on);
        for (const el of stage.querySelectorAll(`.walk[data-series="${row.dataset.agent}"], .curve[data-series="${row.dataset.agent}"]`)) el.classList.toggle("lit", on);
      };
      for (const [type, on] of [["mouseenter", true], ["mouseleave", false], ["focusin", true], ["focusout", false]]) row.addEventListener(type, () => lit(on));
    }
  }
  addEventListener("beforeprint", () => { for (const d of document.querySelectorAll("details")) d.open = true; });
})();
