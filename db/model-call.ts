import { type Stage, stages } from '../council/deliberation.js';
import type { CouncilModel } from '../council/models.js';
import type { Lane } from '../council/purchase.js';
import type { Db } from './database.js';
import { deliberationOf, type StoredDeliberation, storedAnswers } from './deliberation.js';
import { type RunRow, runColumns } from './run.js';

/** What a call to a member needs to know of its run. Invariant: who pays, and how, is frozen with the report's row. */
export interface CallRow extends RunRow {
  readonly accountId: string;
  readonly lane: Lane;
  /** What has been said so far. */
  readonly deliberation: StoredDeliberation;
  /** Whether this member has answered at this stage already: that call is paid for, and not made again. */
  readonly isAnswered: boolean;
}

/**
 * Reads what a call needs, and says that the run is at its stage: only the first of a stage's calls writes that, and a late
 * one of an earlier stage never. In one statement, because nine calls a report make it.
 */
export async function openModelCall(
  db: Db,
  { reportId, stage, model, of }: { reportId: number; stage: Stage; model: CouncilModel; of: number },
): Promise<CallRow> {
  const earlier = stages.slice(0, stages.indexOf(stage));
  const { answers, ...run } = await db
    .with('entered', qb =>
      qb
        .updateTable('reports')
        .set({ stage, stage_of: of })
        .where('id', '=', reportId)
        .where('status', '=', 'processing')
        .where(eb => eb.or([eb('stage', 'is', null), ...earlier.map(before => eb('stage', '=', before))])),
    )
    .selectFrom('reports')
    .select([...runColumns, 'account_id as accountId', 'lane'])
    .select(eb => storedAnswers(eb).as('answers'))
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  const isAnswered = answers.some(answer => answer.stage === stage && answer.model === model);
  return { ...run, deliberation: deliberationOf(answers), isAnswered };
}
