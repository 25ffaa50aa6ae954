import { log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { type DropoutKind, dropoutKinds } from '../../council/deliberation/members.js';
import type { CallStage } from '../../council/deliberation/stages.js';
import type { Db } from '../../db/database.js';
import { notifyOfProgress } from '../../db/reports/report-changes.js';
import { appendToStream } from '../../db/reports/report-stream.js';
import type { ModelCall } from './call-model.js';

/**
 * Tells the stream of the report that a member is lost at a stage, if the work fails for good. The stream never keeps a run
 * waiting or fails it: a loss that cannot be stored here is stored with the end of the report.
 */
export async function notingLoss<Result>(
  db: Db,
  stage: CallStage,
  { reportId, model }: ModelCall,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const kind = lossOf(error);
    if (kind !== null && stage !== 'market_gap') {
      await appendToStream(db, reportId, { event: 'member.lost', stage, model, kind }).catch((err: unknown) =>
        log.warn('a loss is missing in the stream of its report until the report ends', { err, reportId }),
      );
      notifyOfProgress(db, reportId);
    }
    throw error;
  }
}

/** Null if the attempt is made again, or failed for a reason of ours. */
function lossOf(error: unknown): DropoutKind | null {
  if (!(error instanceof ApplicationFailure) || error.nonRetryable !== true) return null;
  return dropoutKinds.find(kind => kind === error.type) ?? null;
}
