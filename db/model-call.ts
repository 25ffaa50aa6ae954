import type { Stage } from '../council/deliberation.js';
import type { CouncilModel } from '../council/models.js';
import type { Lane } from '../council/purchase.js';
import type { Db } from './database.js';
import { type RunRow, runColumns } from './run.js';

/** What a call to a member needs to know of its run. Invariant: who pays, and how, is frozen with the report's row. */
export interface CallRow extends RunRow {
  readonly accountId: string;
  readonly lane: Lane;
  /** Where the run says that it is. */
  readonly stage: Stage | null;
  /** Whether this member has answered at this stage already: that call is paid for, and not made again. */
  readonly isAnswered: boolean;
}

/** In one question: nine calls a report ask it. */
export async function readModelCall(
  db: Db,
  { reportId, stage, model }: { reportId: number; stage: Stage; model: CouncilModel },
): Promise<CallRow> {
  return db
    .selectFrom('reports')
    .select([...runColumns, 'account_id as accountId', 'lane', 'stage'])
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('stage_results as kept')
            .select('kept.model')
            .whereRef('kept.report_id', '=', 'reports.id')
            .where('kept.stage', '=', stage)
            .where('kept.model', '=', model),
        )
        .$castTo<boolean>()
        .as('isAnswered'),
    )
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
}
