import { sql } from 'kysely';

/** A query of the audit: each row it returns is one contradiction, as a sentence. */
export type AuditCheck = ReturnType<typeof check>;

export const check = sql<{ readonly summary: string }>;

/** The moment before which something is overdue. */
export function minutesBefore(now: Date, minutes: number): Date {
  return new Date(now.getTime() - minutes * 60_000);
}
