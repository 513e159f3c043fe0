// Elementary functions of numbers with error bounds, to about thirty digits.

const LN2 = real(0.6931471805599453, 2.3190468138462996e-17, 2 ** -108);
const HALF_PI = real(1.5707963267948966, 6.123233995736766e-17, 2 ** -107);
const PI = real(3.141592653589793, 1.2246467991473532e-16, 2 ** -106);
const ONE = real(1), TWO = real(2);
const OVERFLOW = 709.7; // the exponential of more is not a double
const HALVINGS = 8;
const INVERSE_FACTORIALS = [ONE];
for (let n = 1; n <= 32; n++) INVERSE_FACTORIALS.push(divide(INVERSE_FACTORIALS[n - 1], real(n)));

/** x times a power of two, which is exact unless it underflows. */
function scaled(x, power) {
  const high = x.high * power;
  const lost = high !== x.high && Math.abs(high) < SMALL && x.high !== 0 ? UNDERFLOW : 0;
  return { high, low: x.low * power, error: x.error * power + lost };
}

/** exp(x) - 1 for exact |x| < 1/2: a Taylor polynomial at x/256, then exp(2x) - 1 = y (y + 2) eight times. */
function smallExpm1(x) {
  const step = scaled(x, 2 ** -HALVINGS);
  let sum = INVERSE_FACTORIALS[11];
  for (let n = 10; n >= 1; n--) sum = add(multiply(sum, step), INVERSE_FACTORIALS[n]);
  sum = widened(multiply(sum, step), Math.abs(step.high) ** 12);
  for (let n = 0; n < HALVINGS; n++) sum = add(scaled(sum, 2), multiply(sum, sum));
  return sum;
}

function exp(x) {
  if (x.high + x.error > OVERFLOW) return real(Infinity);
  if (x.high + x.error < -745) return real(0, 0, UNDERFLOW);
  const twos = Math.round(x.high / LN2.high);
  const reduced = subtract(middle(x), multiply(real(twos), LN2));
  const value = scaled(scaled(add(ONE, smallExpm1(reduced)), 2 ** Math.trunc(twos / 2)), 2 ** (twos - Math.trunc(twos / 2)));
  return widened(value, Math.abs(value.high) * Math.expm1(x.error) * MARGIN + (value.high < SMALL ? UNDERFLOW : 0));
}

function expm1(x) {
  if (Math.abs(x.high) >= 0.4) return subtract(exp(x), ONE);
  return widened(smallExpm1(middle(x)), Math.exp(x.high) * Math.expm1(x.error) * (1 + 2 ** -50));
}

/** (exp(x) - 1)/x, with the value 1 at 0. */
function phi1(x) {
  if (isZero(x)) return ONE;
  if (largest(x) <= 1 && certainSign(x) === undefined) return real(1, 0, largest(x));
  return divide(expm1(x), x);
}

/** log(1 + x) for exact |x| < 1/8, by the series of 2 artanh(x/(2 + x)). */
function smallLog1p(x) {
  const ratio = divide(x, add(TWO, x));
  const square = multiply(ratio, ratio);
  let sum = divide(ONE, real(29));
  for (let n = 27; n >= 1; n -= 2) sum = add(multiply(sum, square), divide(ONE, real(n)));
  return scaled(multiply(widened(sum, square.high ** 15), ratio), 2);
}

function log(x) {
  if (x.high + x.error <= 0) throw new Undefined(`the logarithm of ${isZero(x) ? "zero" : "a negative number"}`);
  if (!(smallest(x) > 0)) throw new Undecided("the logarithm of a number that cannot be told from zero");
  if (x.high === Infinity) return x;
  const spread = -Math.log1p(-x.error / Math.abs(x.high)) * (1 + 2 ** -48);
  if (Math.abs(x.high - 1) < 0.1) return widened(smallLog1p(subtract(middle(x), ONE)), spread);
  const start = real(Math.log(x.high));
  const [twos, power] = x.high < SMALL ? [1000, 2 ** 1000] : [0, 1];
  const shifted = add(start, multiply(real(twos), LN2));
  const rest = subtract(multiply(scaled(middle(x), power), exp(negative(shifted))), ONE);
  const value = add(start, subtract(rest, scaled(multiply(rest, rest), 0.5)));
  return widened(value, Math.abs(rest.high) ** 3 + spread);
}

function log1p(x) {
  if (Math.abs(x.high) >= 0.1) return log(add(ONE, x));
  if (x.error >= 0.1) throw new Undecided("the logarithm of a number that is not known well enough");
  return widened(smallLog1p(middle(x)), -Math.log1p(-x.error / (1 + x.high)) * (1 + 2 ** -48));
}

/** log(x/y), with all digits for nearly equal positive x and y. */
function log_ratio(x, y) {
  const ratio = x.high / y.high;
  return ratio > 0.9 && ratio < 1.1 ? log1p(divide(subtract(x, y), y)) : subtract(log(x), log(y));
}

/** Sine and cosine of an exact number, by Taylor polynomials after reduction by multiples of pi/2. */
function sineAndCosine(x) {
  const quarters = Math.round(x.high / HALF_PI.high);
  const reduced = subtract(x, multiply(real(quarters), HALF_PI));
  const square = multiply(reduced, reduced);
  let sine = INVERSE_FACTORIALS[27], cosine = INVERSE_FACTORIALS[28];
  for (let n = 25; n >= 1; n -= 2) sine = subtract(INVERSE_FACTORIALS[n], multiply(sine, square));
  for (let n = 26; n >= 0; n -= 2) cosine = subtract(INVERSE_FACTORIALS[n], multiply(cosine, square));
  sine = widened(multiply(sine, reduced), 2 ** -104 * Math.abs(reduced.high)); // 0.8**28/29! is less
  cosine = widened(cosine, 2 ** -104);
  const turn = ((quarters % 4) + 4) % 4;
  const [s, c] = turn % 2 ? [cosine, negative(sine)] : [sine, cosine];
  return turn < 2 ? [s, c] : [negative(s), negative(c)];
}

function sin(x) {
  return widened(sineAndCosine(middle(x))[0], Math.min(2, x.error));
}

function cos(x) {
  return widened(sineAndCosine(middle(x))[1], Math.min(2, x.error));
}

const tan = (x) => divide(sin(x), cos(x));
const cot = (x) => divide(cos(x), sin(x));

/** The angle of the point (x, y). */
function atan2(y, x) {
  if (isZero(y) && certainSign(x) === 1) return real(0);
  if (certainSign(y) === undefined && certainSign(x) !== 1) throw new Undecided("an angle on the branch cut");
  const start = real(Math.atan2(y.high, x.high));
  const [sine, cosine] = sineAndCosine(start);
  const across = subtract(multiply(y, cosine), multiply(x, sine));
  const turn = divide(across, add(multiply(x, cosine), multiply(y, sine)));
  return widened(add(start, turn), largest(turn) ** 3); // |atan(t) - t| < |t|**3
}

const atan = (x) => atan2(x, ONE);

/** sqrt(1 - x**2) for |x| <= 1. */
function complement(x, name) {
  if (Math.abs(x.high) - x.error > 1) throw new Undefined(`the ${name} of a number outside [-1, 1]`);
  return sqrt(multiply(subtract(ONE, x), add(ONE, x)));
}

function asin(x) {
  const across = complement(x, "arcsine");
  return isZero(across) ? multiply(real(Math.sign(x.high)), HALF_PI) : atan2(x, across);
}

function acos(x) {
  return subtract(HALF_PI, asin(x));
}

const sinh = (x) => scaled(subtract(expm1(x), expm1(negative(x))), 0.5);
const cosh = (x) => scaled(add(exp(x), exp(negative(x))), 0.5);

function tanh(x) {
  const decay = expm1(scaled(negative(Abs(x)), 2)); // between -1 and 0
  const value = negative(divide(decay, add(TWO, decay)));
  return x.high < 0 ? negative(value) : value;
}

function sech(x) {
  const decay = exp(negative(Abs(x)));
  return divide(scaled(decay, 2), add(ONE, multiply(decay, decay)));
}

const csch = (x) => divide(ONE, sinh(x));
const coth = (x) => divide(ONE, tanh(x));

function asinh(x) {
  const size = Abs(x);
  const square = multiply(size, size);
  const value = log1p(add(size, divide(square, add(ONE, sqrt(add(ONE, square))))));
  return x.high < 0 ? negative(value) : value;
}

function acosh(x) {
  if (x.high + x.error < 1) throw new Undefined("the inverse hyperbolic cosine of a number below 1");
  const above = subtract(x, ONE);
  return log1p(add(above, sqrt(multiply(above, add(x, ONE)))));
}

function atanh(x) {
  if (Math.abs(x.high) - x.error >= 1) throw new Undefined("the inverse hyperbolic tangent of a number outside (-1, 1)");
  return scaled(log1p(divide(scaled(x, 2), subtract(ONE, x))), 0.5);
}

/** x to a real power; a root of a negative number is not real. */
function power(x, exponent) {
  const doubled = 2 * exponent.high;
  if (isExact(exponent) && Number.isInteger(doubled) && Math.abs(doubled) < 2 ** 31) {
    if (doubled === 0) return ONE;
    const base = doubled % 2 ? sqrt(x) : x;
    const value = integer_power(base, Math.abs(doubled % 2 ? doubled : doubled / 2));
    return doubled > 0 ? value : divide(ONE, value);
  }
  if (isZero(x) && certainSign(exponent) === 1) return real(0);
  if (x.high + x.error < 0) throw new Undefined("a power of a negative number");
  return exp(multiply(exponent, log(x)));
}
