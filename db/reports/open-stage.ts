import { sql } from 'kysely';
import { type CallStage, progressStages } from '../../council/deliberation/stages.js';
import type { ReportStatus } from '../../council/report.js';
import type { Lane } from '../../purchase/purchase.js';
import type { Db } from '../database.js';
import { deliberationOf, type StoredDeliberation, storedAnswers } from './deliberation.js';
import { notifyOfProgress } from './report-changes.js';
import { appendingWith } from './report-stream.js';
import { type RunRow, runColumns } from './run.js';

/** What the model calls of a stage need. Invariant: account and lane are fixed when the report is created. */
export interface StageRow extends RunRow {
  readonly status: ReportStatus;
  readonly accountId: string;
  readonly lane: Lane;
  /** The answers stored so far. */
  readonly deliberation: StoredDeliberation;
}

export interface StageOfRun {
  readonly reportId: number;
  readonly stage: CallStage;
  /** How many models the stage asks. */
  readonly of: number;
}

/**
 * Reads what the calls of a stage need, and records that the run has reached the stage. The first call
 * records it; a late call of an earlier stage never moves it back. One statement, because every model call
 * runs it.
 */
export async function openStage(db: Db, at: StageOfRun): Promise<StageRow> {
  const { reportId, of } = at;
  // What is asked beside the synthesis is no stage of its own.
  const stage = at.stage === 'market_gap' ? 'synthesis' : at.stage;
  const earlier = progressStages.slice(0, progressStages.indexOf(stage));
  const { answers, hasEntered, ...run } = await db
    .with('entered', qb =>
      qb
        .updateTable('reports')
        .set({ stage, stage_of: of })
        .where('id', '=', reportId)
        .where('status', '=', 'processing')
        .where(eb => eb.or([eb('stage', 'is', null), ...earlier.map(before => eb('stage', '=', before))]))
        .returning('id'),
    )
    .with('noted', () =>
      appendingWith(
        sql`${reportId}::bigint`,
        { event: 'stage.started', stage, of },
        sql`select from entered`,
      ),
    )
    .selectFrom('reports')
    .select([...runColumns, 'status', 'account_id as accountId', 'lane'])
    .select(eb => [
      storedAnswers(eb).as('answers'),
      eb.exists(eb.selectFrom('entered').select('id')).as('hasEntered'),
    ])
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  if (hasEntered === true) notifyOfProgress(db, reportId);
  return { ...run, deliberation: deliberationOf(answers) };
}
