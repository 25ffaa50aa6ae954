/** Order by code unit: the same on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
