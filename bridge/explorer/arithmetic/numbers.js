// Real numbers with error bounds. A number {high, low, error} stands for all reals within `error` of high + low, where
// low is at most half a unit in the last place of high. Every operation returns a number that contains the results for
// all reals which its operands stand for, so that a digit is shown only if it is certain.

// One operation on exact pairs has a relative error of at most 15 * 2**-106 (Joldes, Muller and Popescu 2017).
const ROUNDING = 2 ** -102;
const MARGIN = 1 + 2 ** -48; // for the rounding of the errors themselves
const SMALL = 2 ** -900; // below this size the error of a product underflows
const UNDERFLOW = 2 ** -1060;
const HUGE = 1e300; // a number whose high is infinite is larger than this
const SPLITTER = 2 ** 27 + 1;

/** The value is no real number, or not finite; the message says which operation has no value. */
class Undefined extends Error {}

/** The error bounds are too wide for a decision that the formula needs. */
class Undecided extends Error {}

function real(high, low = 0, error = 0) {
  return { high, low, error };
}

function normal(high, low, error) {
  const total = high + low;
  return { high: total, low: low - (total - high), error: error * MARGIN };
}

function widened(x, error) {
  return { high: x.high, low: x.low, error: (x.error + error) * MARGIN };
}

function middle(x) {
  return { high: x.high, low: x.low, error: 0 };
}

/** An upper bound of |x|. */
function largest(x) {
  return (Math.abs(x.high) + Math.abs(x.low) + x.error) * MARGIN;
}

/** A lower bound of |x|, 0 if x may be zero. */
function smallest(x) {
  return Math.max(0, (Math.abs(x.high) - Math.abs(x.low)) / MARGIN - x.error * MARGIN);
}

function isZero(x) {
  return x.high === 0 && x.error === 0;
}

function isExact(x) {
  return x.low === 0 && x.error === 0;
}

/** -1, 0 or 1 if the sign is certain, otherwise undefined. */
function certainSign(x) {
  if (Math.abs(x.high) > x.error * MARGIN) return Math.sign(x.high);
  return isZero(x) ? 0 : undefined;
}

function add(x, y) {
  const a = x.high, b = y.high;
  const total = a + b;
  if (total === Infinity || total === -Infinity) return real(total);
  const part = total - a;
  let rest = (a - (total - part)) + (b - part);
  let error = x.error + y.error;
  if (x.low !== 0 || y.low !== 0) {
    rest += x.low + y.low;
    error += ROUNDING * (Math.abs(a) + Math.abs(b));
  }
  return normal(total, rest, error);
}

function negative(x) {
  return { high: -x.high, low: -x.low, error: x.error };
}

function subtract(x, y) {
  return add(x, negative(y));
}

/** The rounding error of the product of two doubles (Dekker, with Veltkamp's splitting); NaN if it overflows. */
function productError(a, b, product) {
  let t = SPLITTER * a;
  const a1 = t - (t - a), a2 = a - a1;
  t = SPLITTER * b;
  const b1 = t - (t - b), b2 = b - b1;
  return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
}

function multiply(x, y) {
  const a = x.high, b = y.high;
  if (isZero(x) || isZero(y)) return real(0);
  const product = a * b;
  const size = Math.abs(product);
  let rest = productError(a, b, product);
  let error = Math.abs(a) * y.error + Math.abs(b) * x.error + x.error * y.error;
  if (x.error || y.error) error *= 1 + 2 ** -50; // |high + low| may exceed |high|
  if (x.low !== 0 || y.low !== 0) {
    rest += a * y.low + x.low * b;
    error += ROUNDING * size;
  }
  if (size < SMALL) error += UNDERFLOW;
  if (size < Infinity && !(Math.abs(rest) < Infinity)) {
    rest = 0;
    error += size * 2 ** -50;
  }
  return normal(product, rest, error);
}

function divide(x, y) {
  if (isZero(y)) throw new Undefined(isZero(x) ? "0/0 has no value" : "a division by zero");
  if (Math.abs(y.high) === Infinity && largest(x) < HUGE) return real(0, 0, largest(x) / HUGE);
  const least = smallest(y);
  if (!(least > 0)) throw new Undecided("a denominator that cannot be told from zero");
  if (isZero(x)) return real(0);
  const first = x.high / y.high;
  const quotient = real(first);
  const rest = subtract(middle(x), multiply(quotient, middle(y)));
  if (rest.high === 0 && rest.error === 0 && x.error === 0 && y.error === 0) return quotient;
  const size = Math.abs(first);
  let error = ROUNDING * size + ((x.error + size * (1 + 2 ** -50) * y.error) / least) * (1 + 2 ** -50);
  if (Math.abs(x.high) < SMALL || size < SMALL) error += UNDERFLOW + UNDERFLOW / least;
  const second = (rest.high + rest.low) / y.high;
  if (!(Math.abs(second) < Infinity)) return real(first, 0, error + size * 2 ** -50);
  return normal(first, second, error + rest.error / least);
}

function sqrt(x) {
  if (isZero(x)) return real(0);
  if (x.high + x.error < 0) throw new Undefined("the square root of a negative number");
  if (x.high === Infinity) return x;
  if (x.high <= x.error) return real(0, 0, Math.sqrt(largest(x)) * MARGIN);
  const root = Math.sqrt(x.high);
  const square = root * root;
  const rest = x.high - square - productError(root, root, square) + x.low;
  let error = ROUNDING * root + x.error / root;
  if (x.high < SMALL) error += Math.sqrt(UNDERFLOW);
  return rest - rest === 0 ? normal(root, rest / (2 * root), error) : real(root, 0, error + root * 2 ** -52);
}

/** x to the power of a positive integer, by repeated squaring. */
function integer_power(x, n) {
  let result, square = x;
  for (; n; n = Math.floor(n / 2)) {
    if (n % 2) result = result === undefined ? square : multiply(result, square);
    if (n > 1) square = multiply(square, square);
  }
  return result;
}

function Abs(x) {
  return x.high < 0 ? negative(x) : x;
}

function sign(x) {
  const certain = certainSign(x);
  return certain === undefined ? real(0, 0, 1) : real(certain);
}

function either(x, y) {
  return widened(x, largest(subtract(x, y)) + y.error);
}

function Max(...numbers) {
  return numbers.reduce((x, y) => {
    const certain = certainSign(subtract(x, y));
    return certain === undefined ? either(x.high >= y.high ? x : y, x.high >= y.high ? y : x) : certain < 0 ? y : x;
  });
}

function Min(...numbers) {
  return negative(Max(...numbers.map(negative)));
}

function Heaviside(x, atZero = real(0.5)) {
  const certain = certainSign(x);
  if (certain === undefined) return real(0.5, 0, 0.5 + largest(atZero));
  return certain === 0 ? atZero : real((1 + certain) / 2);
}

function floor(x) {
  const [low, high] = [-1, 1].map((side) => Math.floor(x.high + (x.low + side * x.error)));
  return real(low, 0, high - low);
}

function ceiling(x) {
  return negative(floor(negative(x)));
}

function compared(x, y) {
  const certain = certainSign(subtract(x, y));
  if (certain === undefined) throw new Undecided("a case of the formula that cannot be told from another");
  return certain;
}

const less = (x, y) => compared(x, y) < 0;
const less_equal = (x, y) => compared(x, y) <= 0;
const greater = (x, y) => compared(x, y) > 0;
const greater_equal = (x, y) => compared(x, y) >= 0;
const equal = (x, y) => compared(x, y) === 0;
const not_equal = (x, y) => compared(x, y) !== 0;

function no_case() {
  throw new Undefined("none of the cases of the formula");
}

/** The ratio x/y, with the value 0 at 0/0. */
function quotient(x, y) {
  return isZero(x) && isZero(y) ? real(0) : divide(x, y);
}

/** c/sqrt(v w), which lies in [-1, 1]; 0 if v or w is 0. */
function correlation(c, v, w) {
  if (isZero(v) || isZero(w)) return real(0);
  const ratio = divide(c, sqrt(multiply(v, w)));
  return Math.abs(ratio.high) < 1 ? ratio : real(Math.sign(ratio.high), 0, ratio.error);
}
