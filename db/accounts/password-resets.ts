import { sql } from 'kysely';
import type { Db } from '../database.js';

/** The e-mail address of the user who was sent a link to a new password, by the link's token. Null if it is not valid. */
export async function findResetAddress(db: Db, token: string, now: Date): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select "user"."email" from auth."verification" as link
    join auth."user" as "user" on "user"."id" = link."value"
    where link."identifier" = ${`reset-password:${token}`} and link."expiresAt" > ${now}`.execute(db);
  return rows[0]?.email ?? null;
}
