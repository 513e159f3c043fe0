// Special functions of numbers with error bounds.

const ROOT_2 = sqrt(TWO);
const ROOT_PI = sqrt(PI);
const FAR = 3; // beyond this erfc is computed by its continued fraction
const FRACTIONS = 60;

/** The error function of an exact number of magnitude at most 3, by a series of positive terms. */
function nearErf(x) {
  const square = multiply(x, x);
  let term = x, sum = x;
  for (let n = 1; Math.abs(term.high) > 2 ** -106 * Math.abs(sum.high); n++) {
    term = divide(multiply(term, scaled(square, 2)), real(2 * n + 1));
    sum = add(sum, term);
  }
  sum = widened(sum, 2 * Math.abs(term.high)); // the following terms fall by half or more
  return divide(multiply(scaled(exp(negative(square)), 2), sum), ROOT_PI);
}

/** The complementary error function of an exact number of at least 3, between two convergents of its fraction. */
function farErfc(x) {
  const [value, other] = [FRACTIONS, FRACTIONS - 1].map((last) => {
    let tail = x;
    for (let n = last; n >= 1; n--) tail = add(x, divide(real(n / 2), tail));
    return divide(ONE, tail);
  });
  const fraction = widened(value, largest(subtract(value, other)));
  return divide(multiply(exp(negative(multiply(x, x))), fraction), ROOT_PI);
}

/** A bound of the slope of erf within the error of x, times the error. */
function erfSpread(x) {
  const nearest = Math.max(0, Math.abs(x.high) - x.error);
  return x.error && 1.13 * x.error * Math.exp(-nearest * nearest);
}

function erf(x) {
  const exact = middle(x);
  if (isZero(exact)) return real(0, 0, erfSpread(x));
  if (Math.abs(x.high) <= FAR) return widened(nearErf(exact), erfSpread(x));
  const value = subtract(ONE, farErfc(Abs(exact)));
  return widened(x.high < 0 ? negative(value) : value, erfSpread(x));
}

function erfc(x) {
  return x.high > FAR ? widened(farErfc(middle(x)), erfSpread(x)) : subtract(ONE, erf(x));
}

/** The probability that a standard normal variable is below x. */
function normal_cdf(x) {
  return scaled(erfc(divide(negative(x), ROOT_2)), 0.5);
}

/** The inverse of erfc for 0 < p < 2: Winitzki's approximation, then Newton's method for the logarithm. */
function erfcinv(p) {
  if (p.high + p.error <= 0 || p.high - p.error >= 2) throw new Undefined("the inverse of erfc outside (0, 2)");
  if (p.high > 1) return negative(erfcinv(subtract(TWO, p)));
  const share = Math.log(p.high * (2 - p.high));
  const half = 4.33 + share / 2; // 2/(pi 0.147)
  const target = middle(p);
  let x = real(Math.sqrt(Math.max(0, Math.sqrt(half * half - share / 0.147) - half)));
  for (let n = 0; n < 8; n++) {
    const value = erfc(x);
    const slope = divide(scaled(exp(negative(multiply(x, x))), 2), ROOT_PI);
    const step = divide(multiply(value, log_ratio(value, target)), slope);
    x = middle(add(x, step));
    if (Math.abs(step.high) <= 2 ** -60 * Math.abs(x.high)) break;
  }
  const missed = largest(subtract(erfc(x), p));
  const least = Math.exp(-((Math.abs(x.high) * (1 + 1e-6)) ** 2)); // below the slope 1.128 exp(-x**2) nearby
  return widened(x, missed / least);
}

function erfinv(y) {
  if (isZero(y)) return y;
  if (Math.abs(y.high) - y.error >= 1) throw new Undefined("the inverse of erf outside (-1, 1)");
  const value = erfcinv(subtract(ONE, Abs(y)));
  return y.high < 0 ? negative(value) : value;
}

// B_2, B_4, ... as numerators and denominators.
const BERNOULLI = [
  [1, 6], [-1, 30], [1, 42], [-1, 30], [5, 66], [-691, 2730], [7, 6], [-3617, 510], [43867, 798], [-174611, 330],
  [854513, 138], [-236364091, 2730], [8553103, 6],
].map(([p, q]) => divide(real(p), real(q)));
const LARGE = 32; // from here on the asymptotic series has 30 digits

function requirePositive(x, name) {
  if (x.high + x.error <= 0) throw new Undefined(`the ${name} of a number that is not positive`);
}

/** Sum of term(k) over the Bernoulli numbers, with the last term as a bound of the rest. */
function asymptotic(term) {
  const terms = BERNOULLI.map((number, index) => multiply(number, term(2 * (index + 1))));
  const last = terms.pop();
  return widened(terms.reduce(add), largest(last));
}

function loggamma(x) {
  requirePositive(x, "logarithm of the gamma function");
  let product = ONE;
  for (; x.high < LARGE; x = add(x, ONE)) product = multiply(product, x);
  const stirling = add(
    subtract(multiply(subtract(x, real(0.5)), log(x)), x),
    scaled(log(scaled(PI, 2)), 0.5),
  );
  const series = asymptotic((k) => divide(ONE, multiply(real(k * (k - 1)), integer_power(x, k - 1))));
  return subtract(add(stirling, series), log(product));
}

function gamma(x) {
  return exp(loggamma(x));
}

function beta(a, b) {
  return exp(subtract(add(loggamma(a), loggamma(b)), loggamma(add(a, b))));
}

function factorial(n) {
  let product = ONE;
  for (let k = 2; k <= n; k++) product = multiply(product, real(k));
  return product;
}

/** The derivative of order `order` of the digamma function. */
function polygamma(order, x) {
  requirePositive(x, "polygamma function");
  const n = order.high;
  let shift = real(0);
  for (; x.high < LARGE; x = add(x, ONE)) shift = add(shift, divide(ONE, integer_power(x, n + 1)));
  if (n === 0) {
    const series = asymptotic((k) => divide(ONE, multiply(real(k), integer_power(x, k))));
    return subtract(subtract(subtract(log(x), divide(real(0.5), x)), series), shift);
  }
  const whole = factorial(n);
  const leading = add(divide(factorial(n - 1), integer_power(x, n)), divide(whole, scaled(integer_power(x, n + 1), 2)));
  const ratio = (k) => divide(factorial(k + n - 1), multiply(factorial(k), integer_power(x, k + n)));
  const value = add(add(leading, asymptotic(ratio)), multiply(whole, shift));
  return n % 2 ? value : negative(value);
}
