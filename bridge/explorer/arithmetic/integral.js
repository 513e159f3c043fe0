// Integrals by the double-exponential rule (Takahasi and Mori 1974). Their error is estimated and not proved: it is ten
// times the difference of the last two sums, although the finer sum has about twice as many digits as the coarser one.

const COARSEST = 1 / 4; // distance of the nodes
const FINEST = 1 / 128;
const LEAST_ROUNDS = 2; // two sums may agree by chance
const REACH = 4; // of the transformed variable: the nodes come within 1e-18 of a finite end
const AGREEMENT = 1e-11;
const NODE_ROUNDING = 2 ** -49; // nodes and weights are doubles

/** The node at t and its weight, on an interval or, for an infinite upper limit, on a half-line. */
function node(t, low, high) {
  const u = (Math.PI / 2) * Math.sinh(t), slope = (Math.PI / 2) * Math.cosh(t);
  if (high.high === Infinity) {
    const distance = Math.exp(u);
    return [add(low, real(distance)), real(distance * slope)];
  }
  const share = 1 / (1 + Math.exp(2 * Math.abs(u))); // distance from the nearer end, which is not a difference
  const width = subtract(high, low);
  const away = multiply(width, real(share));
  return [u < 0 ? add(low, away) : subtract(high, away), multiply(width, real(2 * slope * share * (1 - share)))];
}

function integral(integrand, low, high) {
  if (low.high === -Infinity) {
    const mirrored = (z) => integrand(negative(z));
    if (high.high < Infinity) return integral(mirrored, negative(high), real(Infinity));
    return integral((z) => add(integrand(z), mirrored(z)), real(0), high); // odd parts cancel exactly
  }
  let sum = real(0), size = 0;
  const include = (first, distance) => {
    for (let t = first; t <= REACH; t += distance) {
      const [z, weight] = node(t, low, high);
      const term = multiply(weight, integrand(z));
      sum = add(sum, term);
      size += Math.abs(term.high);
    }
  };
  include(-REACH, COARSEST);
  let value = scaled(sum, COARSEST), change = Infinity;
  for (let step = COARSEST / 2, round = 1; step >= FINEST; step /= 2, round++) {
    include(-REACH + step, 2 * step);
    const finer = scaled(sum, step);
    change = Math.abs(finer.high - value.high);
    value = widened(finer, 10 * change + NODE_ROUNDING * size * step);
    if (round >= LEAST_ROUNDS && change <= AGREEMENT * Math.abs(value.high)) break;
  }
  return value;
}
