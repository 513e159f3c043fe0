// Numbers as text.

const MOST_DIGITS = 12;
const SUPERSCRIPTS = { "-": "⁻", "+": "" };
[..."⁰¹²³⁴⁵⁶⁷⁸⁹"].forEach((sign, digit) => (SUPERSCRIPTS[digit] = sign));

/** A number that was written by toPrecision or toExponential, with a minus sign and a power of ten as in print. */
function typeset(text) {
  const [mantissa, exponent] = text.split("e");
  const power = exponent ? `×10${[...exponent].map((sign) => SUPERSCRIPTS[sign]).join("")}` : "";
  return `${mantissa}${power}`.replace("-", "−");
}

/** The digits that are the same at both ends of a number with an error bound; no text if not even one is. */
function certain(value) {
  const ends = [-1, 1].map((side) => value.high + (value.low + side * value.error));
  if (value.error === 0 && value.low === 0 && Number(value.high.toPrecision(MOST_DIGITS)) === value.high) {
    return { text: typeset(String(value.high).replace("e+", "e")), digits: MOST_DIGITS };
  }
  for (let digits = MOST_DIGITS; digits >= 1; digits--) {
    const [low, high] = ends.map((end) => end.toPrecision(digits));
    if (low === high) return { text: typeset(low), digits };
  }
  return { text: "", digits: 0 };
}

/** A number with at most `digits` digits, as one would write it into a field. */
function plain(number, digits = 4) {
  const rounded = Number(number.toPrecision(digits));
  const size = Math.abs(rounded);
  return size !== 0 && (size < 1e-4 || size >= 1e6) ? rounded.toExponential() : String(rounded);
}

function short(number, digits = 4) {
  return typeset(plain(number, digits).replace("e+", "e"));
}

/** The number of a field: a decimal or a ratio of two. */
function read(text) {
  const parts = text.trim().replace("−", "-").split("/");
  const numbers = parts.map((part) => (part.trim() === "" ? NaN : Number(part)));
  return parts.length > 2 ? NaN : numbers.length === 2 ? numbers[0] / numbers[1] : numbers[0];
}

/** About `count` round numbers between two numbers. */
function linearTicks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) ticks.push(Number((n * step).toPrecision(12)));
  return ticks;
}

/** Powers of ten between two positive numbers, with their 2- and 5-folds if there are few. */
function logTicks(low, high, count) {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
  const every = Math.max(1, Math.ceil((last - first) / count));
  const factors = last - first <= count / 2 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let n = first; n <= last; n += every) for (const factor of factors) ticks.push(Number(`${factor}e${n}`));
  const inside = ticks.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  return inside.length < 2 ? linearTicks(low, high, count).filter((tick) => tick > 0) : inside;
}
