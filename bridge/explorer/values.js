// The value of a closed form at a point, or the reason why there is none.

const SIGNS = {
  positive: (x) => x > 0,
  nonnegative: (x) => x >= 0,
  negative: (x) => x < 0,
  nonpositive: (x) => x <= 0,
  nonzero: (x) => x !== 0,
  integer: (x) => Number.isInteger(x),
};

/** The first argument outside its domain or condition that fails, as a sentence; nothing if there is none. */
function obstacle(form, point) {
  for (const [index, argument] of form.arguments.entries()) {
    const inside = Number.isFinite(point[index]) && argument.signs.every((sign) => SIGNS[sign](point[index]));
    if (!inside) return `${argument.name} must be ${argument.domain}.`;
  }
  const numbers = point.map((x) => closedform.real(x));
  for (const { sentence, strict, slack, gap, scale } of form.conditions) {
    const [distance, size] = [gap, scale].map((part) => part(...numbers).high);
    if (!(strict ? distance > 0 : distance >= -slack * size)) return `Outside the domain: this needs ${sentence}.`;
  }
  return undefined;
}

/** {value} with an error bound, or {reason}. */
function evaluated(form, point) {
  try {
    const reason = obstacle(form, point);
    if (reason) return { reason };
    const value = form.value(...point.map((x) => closedform.real(x)));
    if (Number.isFinite(value.high) && Number.isFinite(value.error)) return { value };
    return { reason: "The value, or a part of it, is larger than any double." };
  } catch (problem) {
    if (problem instanceof closedform.Undefined) return { reason: `No real value here: the formula contains ${problem.message}.` };
    if (problem instanceof closedform.Undecided) return { reason: `Not decided in double precision: the formula contains ${problem.message}.` };
    throw problem;
  }
}

/** A number for the curve: NaN where there is none, or where not even two digits are certain. */
function plotted(form, point) {
  const { value } = evaluated(form, point);
  return value && value.error <= 0.01 * Math.abs(value.high) ? value.high : NaN;
}
