/** A 95 % interval. */
export function range(interval: readonly [number, number] | null, show: (value: number) => string): string {
  return interval === null ? 'no interval' : `${show(interval[0])} to ${show(interval[1])}`;
}

/** A score. */
export function plain(value: number): string {
  return value.toFixed(4);
}

/** A difference of scores. */
export function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(4)}`;
}
