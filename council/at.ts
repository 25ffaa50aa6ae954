/** The item at an index known to exist; a hole there is a defect, and must not become a number. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new RangeError(`nothing at index ${index} of ${items.length}`);
  return item;
}
