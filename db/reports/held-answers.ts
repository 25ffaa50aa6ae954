import { sql } from 'kysely';
import { heldAnswersPerAccount } from '../../purchase/limits.js';
import type { Db } from '../database.js';

/**
 * The places of responses that are held until their report changes. Invariants:
 * - an account has at most ten, in all API processes together (the row is locked while it is counted);
 * - a place is free when its time is over, so a process that died leaves none taken.
 */
export interface HeldPlace {
  readonly accountId: string;
  /** When the response is sent at the latest. */
  readonly until: Date;
}

/** False if the account has no free place. */
export async function takePlace(
  db: Db,
  { accountId, until, now }: HeldPlace & { now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into held_answers as held (account_id, ends) values (${accountId}, array[${until}::timestamptz])
    on conflict (account_id) do update
      set ends = array(select place from unnest(held.ends) as place where place > ${now}) || excluded.ends
      where (select count(*) from unnest(held.ends) as place where place > ${now}) < ${heldAnswersPerAccount}
    returning account_id`.execute(db);
  return rows.length > 0;
}

/** Two places that end at the same time are interchangeable. */
export async function freePlace(db: Db, { accountId, until }: HeldPlace): Promise<void> {
  await sql`
    update held_answers
    set ends = ends[:array_position(ends, ${until}::timestamptz) - 1]
      || ends[array_position(ends, ${until}::timestamptz) + 1:]
    where account_id = ${accountId} and ${until}::timestamptz = any (ends)`.execute(db);
}
