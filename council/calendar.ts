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

/** The first moment of a day, UTC. @param day YYYY-MM-DD */
export function startOfUtcDay(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** The first moment of the day after it. */
export function endOfUtcDay(day: string): Date {
  return new Date(startOfUtcDay(day).getTime() + dayMs);
}

/** Seconds until midnight UTC, at least 1. */
export function secondsToNextUtcDay(now: Date): number {
  return Math.max(1, Math.ceil((endOfUtcDay(utcDay(now)).getTime() - now.getTime()) / 1_000));
}

const dayMs = 86_400_000;
