// The value of a closed form at a point, or the reason why there is none.

/** Whether a number is in the domain of an argument, whose infinite ends are null. */
function isAllowed({ low, high, hasLow, hasHigh, isInteger, isNonzero }, x) {
  if (!Number.isFinite(x) || (isInteger && !Number.isInteger(x)) || (isNonzero && x === 0)) return false;
  const isAbove = low === null || (hasLow ? x >= low : x > low);
  return isAbove && (high === null || (hasHigh ? x <= high : x < high));
}

/** The first argument outside its domain or condition that fails, as a sentence; nothing if there is none. */
function obstacle(form, point) {
  for (const [index, argument] of form.arguments.entries()) {
    const inside = isAllowed(argument.domain, point[index]);
    const got = Number.isNaN(point[index]) ? "no number" : short(point[index]);
    if (!inside) return `${argument.name}: got ${got}, needs ${argument.needs}.`;
  }
  const numbers = point.map((x) => closedform.real(x));
  for (const { sentence, strict, slack, gap, scale } of form.conditions) {
    const [distance, size] = [gap, scale].map((part) => part(...numbers).high);
    if (!(strict ? distance > 0 : distance >= -slack * size)) return `This condition fails: ${sentence}.`;
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
    const starts = { Undefined: "No real value here", Undecided: "Not decided in double precision" };
    const begin = starts[problem.constructor.name];
    if (begin) return { reason: `${begin}: the formula contains ${problem.message}.` };
    throw problem;
  }
}

const CURVE_ERROR = 0.01; // of the value
const SCALE_ERROR = 0.001; // of the largest value of a curve

/** A point [x, y, error] of the curve; y is NaN where there is no value. */
function plotted(form, point, x) {
  const { value } = evaluated(form, point);
  return value ? [x, value.high, value.error] : [x, NaN, 0];
}

/** The points of a curve as [x, y, whether its digits are certain], with NaN where an error could be seen. */
function settled(points) {
  const isCertain = ([, y, error]) => error <= CURVE_ERROR * Math.abs(y);
  const largest = points.filter(isCertain).reduce((size, [, y]) => Math.max(size, Math.abs(y)), 0);
  return points.map((point) => {
    const [x, y, error] = point;
    return [x, isCertain(point) || error <= SCALE_ERROR * largest ? y : NaN, isCertain(point)];
  });
}
