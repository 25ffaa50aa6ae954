/** Rounds half up to so many decimals; never gives −0, which JSON would not keep. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale + 0;
}
