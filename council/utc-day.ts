/** YYYY-MM-DD, UTC: the day on which one report on an event is shared. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 'YYYY-MM-DD'.length);
}
