/**
 * Growth of the logarithm of wealth for the best possible stake (Kelly): q·ln(q/c) + (1−q)·ln((1−q)/(1−c)).
 * 0 where the share costs what it is worth or more, for then the best stake is none.
 *
 * @param q probability (0..1) that the share pays one dollar
 * @param c what it costs (0..1)
 */
export function logGrowth(q: number, c: number): number {
  if (q <= c) return 0;
  return term(q, c) + term(1 - q, 1 - c);
}

/** x·ln(x/y), which is 0 at x = 0. */
function term(x: number, y: number): number {
  return x === 0 ? 0 : x * Math.log(x / y);
}
