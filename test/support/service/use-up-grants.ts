import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';

/** Uses up an account's weekly grants for some weeks around `now`, for tests about purchased credits. */
export async function useUpGrants(db: Db, accountId: string, now: Date): Promise<void> {
  await sql`
    insert into weekly_grants (account_id, week, held_credits, usable_until, created_at)
    select ${accountId}, (date_trunc('week', ${now}::timestamptz at time zone 'utc') + n * interval '7 days')::date,
      0, 'epoch', ${now}
    from generate_series(-2, 10) as n`.execute(db);
}
