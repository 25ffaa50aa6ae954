/** YYYY-MM-DD, UTC. A report on an event is shared for one such day. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** YYYY-MM-DD: the Monday, UTC, on which the ISO week of `now` began. */
export function weekOf(now: Date): string {
  return new Date(nextMonday(now).getTime() - 7 * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The Monday, 00:00 UTC, on which the ISO week after that of `now` begins. */
export function nextMonday(now: Date): Date {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const daysSinceMonday = (now.getUTCDay() + 6) % 7;
  return new Date(midnight + (7 - daysSinceMonday) * dayMs);
}

const dayMs = 86_400_000;
