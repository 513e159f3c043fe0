// The controls of a page: sliders, fields, axes, and what they show.

const STEPS = 1000; // of a slider of real numbers
const MOST_SAMPLES = 241, FEWEST_SAMPLES = 49;
const SECONDS_OF_A_CURVE = 0.25;
const ENOUGH_DIGITS = 6; // fewer are worth a word
const SLICE = 12; // milliseconds of computation between two looks at the user

/** The number at a share of a slider's range. */
function numberAt({ low, high, isLog }, share) {
  return isLog ? low * (high / low) ** share : low + share * (high - low);
}

function shareOf({ low, high, isLog }, number) {
  const share = isLog ? Math.log(number / low) / Math.log(high / low) : (number - low) / (high - low);
  return Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share));
}

/** The warning about a value of which few digits are certain. */
function caution(value, digits) {
  if (digits >= ENOUGH_DIGITS) return "";
  if (digits === 0) {
    const [error, middle] = [value.error, value.high].map((number) => short(number, 2));
    return `No digit is certain in double precision: the value lies within ±${error} of ${middle}.`;
  }
  const known = digits === 1 ? "one digit is" : `${digits} digits are`;
  return `Only ${known} certain in double precision; the command below has all of them.`;
}

class Explorer {
  constructor(form) {
    this.form = { ...form, value: form.value(closedform) };
    this.form.conditions = form.conditions.map((c) => ({ ...c, gap: c.gap(closedform), scale: c.scale(closedform) }));
    this.root = form.element;
    this.point = form.arguments.map((argument) => argument.start);
    this.rows = [...this.root.querySelectorAll(".argument")];
    this.svg = this.find(".plot");
    this.kept = [];
    this.curve = [];
    this.rows.forEach((row, index) => this.connect(row, index));
    if (this.svg) this.connectPlot();
    this.update();
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  connect(row, index) {
    const [slider, field] = row.querySelectorAll("input");
    const argument = this.form.arguments[index];
    slider.addEventListener("input", () => {
      const number = argument.isInteger ? Number(slider.value) : Number(numberAt(argument, slider.value / STEPS).toPrecision(4));
      this.point[index] = number;
      field.value = plain(number, argument.isInteger ? 15 : 4);
      this.update();
    });
    field.addEventListener("input", () => {
      this.point[index] = read(field.value);
      if (Number.isFinite(this.point[index])) this.place(slider, argument, this.point[index]);
      this.update();
    });
    field.value = plain(argument.start, 15);
    this.place(slider, argument, argument.start);
  }

  place(slider, argument, number) {
    slider.value = argument.isInteger ? number : Math.round(STEPS * shareOf(argument, number));
  }

  connectPlot() {
    for (const control of this.root.querySelectorAll(".axes select, .axes input")) {
      control.addEventListener("change", () => this.changeAxes(control));
    }
    this.find(".keep").addEventListener("click", () => {
      this.kept = this.kept.length < 8 ? [...this.kept, this.curve] : this.kept;
      this.find(".forget").hidden = false;
      this.show();
    });
    this.find(".forget").addEventListener("click", () => this.forget());
    this.svg.addEventListener("pointermove", (event) => this.hover(event));
    this.svg.addEventListener("pointerleave", () => this.hover());
    this.svg.addEventListener("click", (event) => this.choose(event));
    this.axis = Number(this.find(".axes select").value);
    this.find(".log-x").checked = this.form.arguments[this.axis].isLog;
    new ResizeObserver(() => this.show()).observe(this.svg);
  }

  changeAxes(control) {
    if (control.matches("select")) {
      this.axis = Number(control.value);
      this.find(".log-x").checked = this.form.arguments[this.axis].isLog;
      this.kept = [];
      this.find(".forget").hidden = true;
    }
    this.update();
  }

  forget() {
    this.kept = [];
    this.find(".forget").hidden = true;
    this.show();
  }

  /** The range of the x axis, which includes the current number. */
  range() {
    const { low, high } = this.form.arguments[this.axis], here = this.point[this.axis];
    const [from, to] = Number.isFinite(here) ? [Math.min(low, here), Math.max(high, here)] : [low, high];
    return [this.find(".log-x").checked && from <= 0 ? to / 1000 : from, to];
  }

  abscissas() {
    const argument = this.form.arguments[this.axis], [low, high] = this.range();
    const isLog = this.find(".log-x").checked;
    if (argument.isInteger && high - low <= MOST_SAMPLES) {
      return Array.from({ length: Math.round(high - low) + 1 }, (_, n) => Math.round(low) + n);
    }
    const count = Math.max(FEWEST_SAMPLES, Math.min(MOST_SAMPLES, Math.round(SECONDS_OF_A_CURVE / this.cost)));
    const numbers = Array.from({ length: count }, (_, n) => numberAt({ low, high, isLog }, n / (count - 1)));
    return argument.isInteger ? [...new Set(numbers.map(Math.round))] : numbers;
  }

  /** Compute and show the value, then the curve. */
  update() {
    const began = performance.now();
    this.showValue(evaluated(this.form, this.point));
    this.cost = Math.max(1e-6, (performance.now() - began) / 1000);
    if (!this.svg) return;
    clearTimeout(this.job);
    const abscissas = this.abscissas(), curve = [];
    const slice = () => {
      const start = performance.now();
      while (curve.length < abscissas.length && performance.now() - start < SLICE) {
        const x = abscissas[curve.length];
        curve.push(plotted(this.form, this.point.map((number, index) => (index === this.axis ? x : number)), x));
      }
      if (curve.length < abscissas.length) {
        this.job = setTimeout(slice, 0);
        return;
      }
      this.curve = settled(curve);
      this.show();
    };
    slice();
  }

  showValue({ value, reason }) {
    const output = this.find("output"), note = this.find(".note");
    const { text, digits } = value ? certain(value) : { text: "", digits: 0 };
    output.textContent = text || "–";
    output.dataset.value = value ? value.high : "";
    note.textContent = reason ?? caution(value, digits);
    note.classList.toggle("fails", Boolean(reason));
    this.rows.forEach((row, index) => {
      const number = this.point[index], isInside = isAllowed(this.form.arguments[index].domain, number);
      const [slider, field] = row.querySelectorAll("input");
      field.setAttribute("aria-invalid", String(!isInside));
      slider.setAttribute("aria-valuetext", short(number));
    });
    const values = this.form.arguments.map(({ name }, index) => ` ${name}=${plain(this.point[index], 15)}`);
    this.find(".command").textContent = `closedform eval ${this.form.call}${values.join("")} --digits 20`;
  }

  show() {
    if (!this.svg) return;
    const here = this.point[this.axis], { value } = evaluated(this.form, this.point);
    this.scales = draw(this.svg, {
      curve: this.curve,
      kept: this.kept,
      point: value && [here, value.high],
      label: this.form.arguments[this.axis].label,
      range: this.range(),
      isLogX: this.find(".log-x").checked,
      isLogY: this.find(".log-y").checked,
      asDots: this.form.arguments[this.axis].isInteger && this.curve.length <= 60,
    });
    this.hover();
  }

  /** The number on the x axis under the pointer, rounded as finely as the pixels. */
  under(event) {
    const box = this.svg.getBoundingClientRect(), argument = this.form.arguments[this.axis];
    const number = this.scales.x.at(event.clientX - box.left);
    const inside = Math.min(this.scales.x.high, Math.max(this.scales.x.low, number));
    return argument.isInteger ? Math.round(inside) : Number(inside.toPrecision(3));
  }

  hover(event) {
    this.svg.querySelectorAll(".under").forEach((node) => node.remove());
    const readout = this.find(".readout");
    readout.textContent = `Hover to read the curve; click to go there.${this.scales?.hasGaps ? " Shaded: no value." : ""}`;
    if (!event || !this.scales) return;
    const x = this.under(event);
    const result = evaluated(this.form, this.point.map((number, index) => (index === this.axis ? x : number)));
    const { text } = result.value ? certain(result.value) : { text: "" };
    readout.textContent = `${this.form.arguments[this.axis].name} = ${short(x)}:  ${text || result.reason || "no certain digit"}`;
    const px = this.scales.x.of(x), py = result.value ? this.scales.y.of(result.value.high) : NaN;
    const bottom = this.svg.clientHeight - MARGIN.bottom;
    this.svg.append(element("line", { class: "under", x1: px, x2: px, y1: MARGIN.top, y2: bottom }));
    if (py >= MARGIN.top && py <= bottom) this.svg.append(element("circle", { class: "under", cx: px, cy: py, r: 4 }));
  }

  choose(event) {
    if (!this.scales) return;
    const [slider, field] = this.rows[this.axis].querySelectorAll("input");
    this.point[this.axis] = this.under(event);
    field.value = plain(this.point[this.axis], 15);
    this.place(slider, this.form.arguments[this.axis], this.point[this.axis]);
    this.update();
  }
}

function start() {
  for (const form of window.closedForms ?? []) form.element.explorer ??= new Explorer(form);
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
