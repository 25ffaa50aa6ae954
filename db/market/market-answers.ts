import { sql } from 'kysely';
import { marketAnswerStaleSeconds } from '../../purchase/limits.js';
import type { Db } from '../database.js';

/**
 * What the market answered, shared by the API processes for some seconds. Invariants:
 * - at most one process reads the market for a question at a time, until its claim ends;
 * - an older answer never replaces a newer one;
 * - nothing that is sold or graded is computed from this table. It is not logged, so a crash of the server empties it;
 * - a new answer deletes outdated ones, so the table has at most what can be read from the market in that time.
 */
interface ClaimTimes {
  readonly now: Date;
  readonly freshAfter: Date;
  /** The same of the answer `null`: the market does not know the event. */
  readonly unknownFreshAfter: Date;
  readonly claimedUntil: Date;
}

interface KeptAnswer {
  readonly json: string;
  readonly readAt: Date;
}

type Claim =
  | { readonly state: 'claimed' | 'busy'; readonly kept: KeptAnswer | null }
  | { readonly state: 'fresh'; readonly kept: KeptAnswer }
  | { readonly state: 'failed'; readonly kept: KeptAnswer | null; readonly retryAt: Date };

/**
 * Takes the right to read the market for a question, unless an answer is fresh, another process is reading, or the
 * market failed a moment ago.
 */
export async function claimMarketAnswer(db: Db, question: string, times: ClaimTimes): Promise<Claim> {
  const { now, freshAfter, unknownFreshAfter, claimedUntil } = times;
  const claimed = await db
    .insertInto('market_answers')
    .values({ question, claimed_until: claimedUntil, asked_at: now })
    .onConflict(conflict =>
      conflict
        .column('question')
        .doUpdateSet({ claimed_until: claimedUntil, asked_at: now })
        .where(eb =>
          eb.or([
            eb('market_answers.read_at', 'is', null),
            eb('market_answers.read_at', '<=', unknownFreshAfter),
            eb.and([
              eb('market_answers.read_at', '<=', freshAfter),
              eb('market_answers.answer', '!=', unknown),
            ]),
          ]),
        )
        .where(eb =>
          eb.or([
            eb('market_answers.claimed_until', 'is', null),
            eb('market_answers.claimed_until', '<=', now),
          ]),
        )
        .where(eb =>
          eb.or([eb('market_answers.retry_at', 'is', null), eb('market_answers.retry_at', '<=', now)]),
        ),
    )
    .returning(['answer', 'read_at'])
    .executeTakeFirst();
  if (claimed !== undefined) return { state: 'claimed', kept: keptOf(claimed) };
  return readClaim(db, question, times);
}

/** The answer about an event that the market does not know. */
const unknown = 'null';

async function readClaim(
  db: Db,
  question: string,
  { now, freshAfter, unknownFreshAfter }: ClaimTimes,
): Promise<Claim> {
  const row = await db
    .selectFrom('market_answers')
    .select(['answer', 'read_at', 'retry_at'])
    .where('question', '=', question)
    .executeTakeFirst();
  const kept = row === undefined ? null : keptOf(row);
  const isFresh = kept !== null && kept.readAt > (kept.json === unknown ? unknownFreshAfter : freshAfter);
  if (isFresh) return { state: 'fresh', kept };
  const retryAt = row?.retry_at ?? null;
  return retryAt !== null && retryAt > now ? { state: 'failed', kept, retryAt } : { state: 'busy', kept };
}

function keptOf(row: { answer: string | null; read_at: Date | null }): KeptAnswer | null {
  return row.answer === null || row.read_at === null ? null : { json: row.answer, readAt: row.read_at };
}

/** Stores an answer, ends the claim, and deletes some of the outdated answers. */
export async function saveMarketAnswer(
  db: Db,
  question: string,
  { json, readAt }: KeptAnswer,
): Promise<void> {
  await db
    .updateTable('market_answers')
    .set({ answer: json, read_at: readAt, claimed_until: null, retry_at: null })
    .where('question', '=', question)
    .where(eb => eb.or([eb('read_at', 'is', null), eb('read_at', '<', readAt)]))
    .execute();
  await sql`
    delete from market_answers where ctid = any (array(
      select ctid from market_answers where asked_at < ${outdatedBefore(readAt)} order by asked_at
      limit ${outdatedDeletedMax} for update skip locked))`.execute(db);
}

/** More than one, so that a table that has grown shrinks again. */
const outdatedDeletedMax = 20;

/** Ends the claim without an answer. @param retryAt when the market may be asked again; null: at once */
export async function releaseMarketAnswer(db: Db, question: string, retryAt: Date | null): Promise<void> {
  await db
    .updateTable('market_answers')
    .set({ claimed_until: null, retry_at: retryAt })
    .where('question', '=', question)
    .execute();
}

/** Answers asked for before this time can serve nobody any more. */
export function outdatedBefore(now: Date): Date {
  return new Date(now.getTime() - 2 * marketAnswerStaleSeconds * 1_000);
}
