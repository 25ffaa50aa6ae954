import { type Kysely, sql } from 'kysely';

/**
 * By which mailbox and from which network a weekly grant was taken, under keyed hashes that lead to no address. One
 * mailbox has one grant a week, whatever accounts it opens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table grant_claims (
      account_id uuid not null references accounts (id),
      week date not null,
      mailbox text,
      network text,
      site text,
      claimed_at timestamptz not null,
      primary key (account_id, week)
    )`.execute(db);
  await sql`create unique index grant_claims_mailbox on grant_claims (week, mailbox)`.execute(db);
  await sql`create index grant_claims_network on grant_claims (network, claimed_at)`.execute(db);
  await sql`create index grant_claims_site on grant_claims (site, claimed_at)`.execute(db);
  await sql`create index grant_claims_age on grant_claims (claimed_at)`.execute(db);
}
