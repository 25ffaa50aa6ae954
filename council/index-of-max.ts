/** Index of the largest value; the first of equals, −1 of none. Null counts as smaller than any number. */
export function indexOfMax(values: readonly (number | null)[]): number {
  let best = -1;
  let largest = Number.NEGATIVE_INFINITY;
  for (const [index, value] of values.entries()) {
    if (value !== null && value > largest) {
      best = index;
      largest = value;
    }
  }
  return best;
}
