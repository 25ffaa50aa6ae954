/** The normal distribution's 97.5 % quantile. */
const z = 1.959963984540054;

/**
 * 95 % interval of a share, by Wilson's score method (1927): it stays within 0 and 1, and is honest for few trials.
 * It takes the trials to be independent of one another.
 *
 * @returns null of no trials
 */
export function wilsonInterval(
  successes: number,
  trials: number,
): readonly [low: number, high: number] | null {
  if (trials === 0) return null;
  const share = successes / trials;
  const scale = 1 + z ** 2 / trials;
  const centre = (share + z ** 2 / (2 * trials)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
