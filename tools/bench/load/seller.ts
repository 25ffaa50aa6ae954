import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../db/database.js';
import { purchaseReport } from '../../../db/purchases/purchases.js';
import type { PastReport } from '../../../db/track-record/past-reports.js';
import type { SalesPolicy } from '../../../purchase/house-ceilings.js';
import { runsPerHour } from '../../../purchase/limits.js';
import { type Caller, seedCallers } from '../services/seed-callers.js';

export const noCeiling: SalesPolicy = {
  houseLimitUsdMicros: Infinity,
  grantLimitUsdMicros: Infinity,
  grantNeedsVerifiedAddress: false,
};
/** Both are read and never reached. */
export const highCeiling: SalesPolicy = {
  ...noCeiling,
  houseLimitUsdMicros: 1e12,
  grantLimitUsdMicros: 1e12,
};

/**
 * Sells fresh reports in PostgreSQL alone, as the activity of a run does: each to an account that may still start a run,
 * and each on an event of its own.
 */
export class Seller {
  /** When everything is sold: the noon of today, so that the hours before it may have calls. */
  readonly now: Date;
  private readonly callers: readonly Caller[];
  private sold = 0;

  private constructor(now: Date, callers: readonly Caller[]) {
    this.now = now;
    this.callers = callers;
  }

  /**
   * @param sales the most that will be sold
   * @param event what all events are, but for their ids
   */
  static async create(db: Db, sales: number, { event }: Pick<PastReport, 'event'>): Promise<Seller> {
    const now = new Date();
    now.setUTCHours(12, 0, 0, 0);
    await sql`
      insert into events (event_id, source, title, event, read_at)
      select 'bench-' || n, 'sample', ${event.title}::text,
        jsonb_set(${JSON.stringify(event)}::jsonb, '{eventId}', to_jsonb('bench-' || n)), ${now}
      from generate_series(1, ${sales}::integer) as n`.execute(db);
    return new Seller(now, await seedCallers(db, Math.ceil(sales / runsPerHour)));
  }

  /** @returns the id of the report */
  async sell(db: Db, policy: SalesPolicy): Promise<number> {
    const sale = ++this.sold;
    const caller = this.callers[sale % this.callers.length];
    if (caller === undefined) throw new Error('there is no caller');
    const outcome = await purchaseReport(
      db,
      {
        purchaseId: randomUUID(),
        accountId: caller.accountId,
        apiKeyId: null,
        eventId: `bench-${sale}`,
        utcDay: this.now.toISOString().slice(0, 10),
        lane: 'credits',
        quotedCredits: null,
        quotedUsdCents: null,
        idempotency: null,
        answerBy: null,
      },
      {
        now: this.now,
        simulated: true,
        policy,
        onCeiling: () => undefined,
        eventTitle: 'Bench',
        workflowId: soldByBench,
        seed: 'bench',
        firstStage: { stage: 'opinions', of: 4 },
      },
      'fresh',
    );
    if (outcome === 'fresh_needed' || 'refused' in outcome) throw new Error(JSON.stringify(outcome));
    return outcome.reportId;
  }

  /** Ends what was sold. Otherwise each sale would have more open runs than the one before. */
  async endRuns(db: Db): Promise<void> {
    await sql`
      update reports set status = 'failed', failure_code = 'internal', ended_at = ${this.now}
      where status = 'processing' and workflow_id = ${soldByBench}`.execute(db);
  }
}

const soldByBench = 'bench';
