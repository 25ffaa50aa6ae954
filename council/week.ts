const dayMs = 86_400_000;

/** The Monday, 00:00 UTC, on which the ISO week after that of `now` begins. */
export function nextMonday(now: Date): Date {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const daysSinceMonday = (now.getUTCDay() + 6) % 7;
  return new Date(midnight + (7 - daysSinceMonday) * dayMs);
}
