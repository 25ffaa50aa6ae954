/** The entries of a list that is written with commas and line breaks. */
export function listed(entries: string): string[] {
  return entries
    .split(/[,\n]/)
    .map(entry => entry.trim())
    .filter(entry => entry !== '');
}
