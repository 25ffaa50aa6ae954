/** The same proportions, adding up to 1. */
export function scaledToOne(row: readonly number[]): number[] {
  const total = row.reduce((sum, p) => sum + p, 0);
  return row.map(p => p / total);
}
