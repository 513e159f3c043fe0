// A plot of one curve, with kept ones behind it, in an SVG element that has the width of its container.

const MARGIN = { left: 62, right: 14, top: 14, bottom: 46 };
const FONT = 13; // px, as the element is never scaled
const FAR_OUTSIDE = 9999; // px
const ROOM = 6; // px around the axes for what is drawn at their ends

function element(name, attributes, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

/** A map from numbers to pixels, with its inverse and its ticks. */
function scaleOf(low, high, from, to, isLog, count) {
  const forward = isLog ? Math.log : (x) => x;
  const [start, width] = [forward(low), forward(high) - forward(low)];
  return {
    of: (x) => from + ((forward(x) - start) / width) * (to - from),
    at: (pixel) => (isLog ? Math.exp : (x) => x)(start + ((pixel - from) / (to - from)) * width),
    ticks: (isLog ? logTicks : linearTicks)(low, high, count),
    low,
    high,
  };
}

/** The range of the y axis: that of the values, without the highest and lowest ones where these are at a pole. */
function valueRange(values, isLog) {
  const shown = values.filter((y) => Number.isFinite(y) && (!isLog || y > 0)).sort((a, b) => a - b);
  if (!shown.length) return isLog ? [0.1, 1] : [0, 1];
  const at = (share) => shown[Math.round(share * (shown.length - 1))];
  let [low, high] = [at(0), at(1)];
  if (isLog) return low < high ? [low / (high / low) ** 0.05, high * (high / low) ** 0.05] : [low / 2, high * 2];
  const spread = at(0.9) - at(0.1);
  if (spread > 0 && high > at(0.9) + 12 * spread) high = at(0.9) + spread;
  if (spread > 0 && low < at(0.1) - 12 * spread) low = at(0.1) - spread;
  const room = (high - low) * 0.06;
  const least = 1e-9 * Math.max(Math.abs(low), Math.abs(high)); // a constant up to rounding is a flat line
  if (room > least) return [low >= 0 && low < 4 * room ? 0 : low - room, high + room];
  return low === 0 ? [-1, 1] : [low - Math.abs(low) / 2, low + Math.abs(low) / 2];
}

/** The path through points, interrupted where there is no value; far outside it ends at a number that SVG can draw. */
function pathOf(points, x, y) {
  let path = "", isOpen = false;
  for (const [a, b] of points) {
    const [across, down] = [x.of(a), y.of(b)];
    const isDrawn = Number.isFinite(across) && Number.isFinite(down);
    const inReach = Math.max(-FAR_OUTSIDE, Math.min(FAR_OUTSIDE, down));
    if (isDrawn) path += `${isOpen ? "L" : "M"}${across.toFixed(2)} ${inReach.toFixed(2)}`;
    isOpen = isDrawn;
  }
  return path;
}

/** The intervals of the x axis without a value, each from its first to its last point. */
function gaps(points) {
  const found = [];
  points.forEach(([x, y], index) => {
    if (Number.isFinite(y)) return;
    const isNew = index === 0 || Number.isFinite(points[index - 1][1]);
    if (isNew) found.push([x, x]);
    else found.at(-1)[1] = x;
  });
  return found.filter(([from, to]) => to > from);
}

function axes(svg, x, y, width, height, label) {
  const [right, bottom] = [width - MARGIN.right, height - MARGIN.bottom];
  for (const tick of y.ticks) {
    svg.append(element("line", { class: "grid", x1: MARGIN.left, x2: right, y1: y.of(tick), y2: y.of(tick) }));
    svg.append(element("text", { x: MARGIN.left - 8, y: y.of(tick) + FONT / 3, "text-anchor": "end" }, short(tick)));
  }
  for (const tick of x.ticks) {
    svg.append(element("line", { class: "grid", y1: MARGIN.top, y2: bottom, x1: x.of(tick), x2: x.of(tick) }));
    svg.append(element("text", { x: x.of(tick), y: bottom + FONT + 6, "text-anchor": "middle" }, short(tick)));
  }
  const middle = { class: "label", x: (MARGIN.left + right) / 2, y: height - 8, "text-anchor": "middle" };
  const fits = label.find((text) => text.length * FONT * 0.56 < width - MARGIN.left) ?? label.at(-1);
  svg.append(element("text", middle, fits));
}

/** Draw the plot and return the scales of its axes; `label` lists texts of the x axis, the longest first. */
function draw(svg, { curve, kept, point, label, range, isLogX, isLogY, asDots }) {
  const width = svg.clientWidth || 640, height = svg.clientHeight || 380;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  const [right, bottom] = [width - MARGIN.right, height - MARGIN.bottom];
  if (isLogY) {
    const onlyCertain = (points) => points.map(([x, y, isCertain]) => [x, isCertain ? y : NaN]);
    [curve, ...kept] = [curve, ...kept].map(onlyCertain);
  }
  const values = [curve, ...kept].flatMap((points) => points.map(([, y]) => y));
  if (point) values.push(point[1]);
  const x = scaleOf(...range, MARGIN.left, right, isLogX, width / 90);
  const y = scaleOf(...valueRange(values, isLogY), bottom, MARGIN.top, isLogY, height / 60);
  axes(svg, x, y, width, height, label);
  const frame = [MARGIN.left - ROOM, MARGIN.top - ROOM, right - MARGIN.left + 2 * ROOM, bottom - MARGIN.top + 2 * ROOM];
  const inside = element("svg", { x: frame[0], y: frame[1], width: frame[2], height: frame[3], viewBox: frame.join(" ") });
  svg.append(inside);
  for (const [from, to] of gaps(curve)) {
    const box = { x: x.of(from), y: MARGIN.top, width: x.of(to) - x.of(from), height: bottom - MARGIN.top };
    inside.append(element("rect", { class: "none", ...box }));
  }
  for (const points of kept) inside.append(element("path", { class: "kept", d: pathOf(points, x, y) }));
  inside.append(element("path", { class: asDots ? "curve thin" : "curve", d: pathOf(curve, x, y) }));
  if (asDots) {
    for (const [a, b] of curve.filter(([, b]) => Number.isFinite(y.of(b)))) {
      inside.append(element("circle", { class: "dot", cx: x.of(a), cy: y.of(b), r: 3.5 }));
    }
  }
  if (point && Number.isFinite(y.of(point[1]))) {
    svg.append(element("circle", { class: "here", cx: x.of(point[0]), cy: y.of(point[1]), r: 5.5 }));
  }
  if (curve.length && !curve.some(([, value]) => Number.isFinite(y.of(value)))) {
    const centre = { class: "label", x: (MARGIN.left + right) / 2, y: (MARGIN.top + bottom) / 2, "text-anchor": "middle" };
    svg.append(element("text", centre, "no value on this axis"));
  }
  return { x, y, hasGaps: gaps(curve).length > 0 };
}
