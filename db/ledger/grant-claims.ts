import { sql } from 'kysely';
import { endOfUtcDay, startOfUtcDay, utcDay } from '../../council/calendar.js';
import type { GrantClaimant, GrantsClaimed } from '../../purchase/weekly-grant.js';
import type { Db, Tx } from '../database.js';

/**
 * By whom weekly grants were taken, beyond the account. Invariants:
 * - a mailbox has one grant a week, whatever accounts it opens (unique index);
 * - sales that a new grant pays are decided one after the other for a mailbox and for a network (`lockGrantClaims`), so
 *   each sees what those before it have claimed;
 * - a claim stays when its report is refunded: the grant is then usable again, by the account that has it;
 * - mailboxes and networks are keyed hashes, and `prune` deletes them when nothing depends on them.
 */

/**
 * Waits until no other sale decides on grants of the mailbox or the network, and keeps them until the transaction ends.
 * Taken after the lock of the account and before that of the ceilings; a sale takes one lock of each kind, always in
 * this order.
 */
export async function lockGrantClaims(tx: Tx, claimant: GrantClaimant): Promise<void> {
  const lockOf = (kind: number, value: string | null) =>
    // The function locks nothing for null.
    sql`pg_advisory_xact_lock(${kind}::int, hashtext(${value}::text))`;
  const { mailbox, network, site } = claimant;
  await sql`select ${lockOf(claimLocks.mailbox, mailbox)}, ${lockOf(claimLocks.network, network)},
    ${lockOf(claimLocks.site, site)}`.execute(tx);
}

/** The first keys of this service's advisory locks for claims. */
const claimLocks = { mailbox: 7_107_011, network: 7_107_012, site: 7_107_013 };

/** What of the week's and the day's grants is taken. */
export async function readGrantsClaimed(
  db: Db | Tx,
  { mailbox, network, site }: GrantClaimant,
  { week, now }: { week: string; now: Date },
): Promise<GrantsClaimed> {
  const day = utcDay(now);
  const claimedToday = (column: 'network' | 'site', value: string | null) =>
    db
      .selectFrom('grant_claims')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where(column, '=', value)
      .where('claimed_at', '>=', startOfUtcDay(day))
      .where('claimed_at', '<', endOfUtcDay(day));
  const ofMailbox = db
    .selectFrom('grant_claims')
    .select('week')
    .where('week', '=', week)
    .where('mailbox', '=', mailbox);
  const found = await db
    .selectNoFrom(eb => [
      eb.exists(ofMailbox).$castTo<boolean>().as('byMailbox'),
      claimedToday('network', network).as('byNetworkToday'),
      claimedToday('site', site).as('bySiteToday'),
    ])
    .executeTakeFirstOrThrow();
  const { byMailbox, byNetworkToday, bySiteToday } = found;
  return { byMailbox, byNetworkToday: byNetworkToday ?? 0, bySiteToday: bySiteToday ?? 0 };
}

/** Records that the account has taken the week's grant. @throws Error if its mailbox has taken one */
export async function recordGrantClaim(
  tx: Tx,
  claim: GrantClaimant & { readonly accountId: string; readonly week: string; readonly now: Date },
): Promise<void> {
  const { accountId, week, mailbox, network, site, now } = claim;
  await tx
    .insertInto('grant_claims')
    .values({ account_id: accountId, week, mailbox, network, site, claimed_at: now })
    .execute();
}
