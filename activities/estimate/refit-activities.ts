import { setImmediate } from 'node:timers/promises';
import { cancellationSignal } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { Steps } from '../../council/estimate/steps.js';
import type { Weights } from '../../council/estimate/weights.js';
import type { Db } from '../../db/database.js';
import { rowsSha256 } from '../../db/digests.js';
import { readGradedReports } from '../../db/estimate/graded-reports.js';
import { findRefit, type Refit, readChallengers, recordRefit } from '../../db/estimate/refits.js';
import { readCurrentWeights } from '../../db/estimate/weights.js';
import { type Proposal, refitWeights } from '../../record/learning/refit-weights.js';
import { reportSets } from '../../record/learning/report-sets.js';
import type { TimedSet } from '../../record/learning/resolved-sets.js';
import { withHeartbeat } from '../with-heartbeat.js';

export interface RefitDependencies {
  readonly db: Db;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'info'>;
}

/** A refit of the weights, by the end of what is known to it (ISO 8601, UTC). */
export interface RefitOrder {
  readonly id: string;
  readonly cutOff: string;
}

/**
 * With the weights that the proposal was compared with. A worker of 1.0.0, from which a running workflow may have it,
 * gives no evidence.
 */
export interface ComparedProposal extends Omit<Proposal, 'evidence'>, Partial<Pick<Proposal, 'evidence'>> {
  readonly incumbentId: string;
}

/** A refit as it is recorded, without its times. */
export type RefitResult = Omit<Refit, 'cutOff'>;

export type RefitActivities = ReturnType<typeof createRefitActivities>;

/** The activities of a refit. Each may be repeated at any time; only the last one writes. */
export function createRefitActivities(deps: RefitDependencies) {
  const { db, now, log } = deps;
  return {
    /** Null if no refit by this id was recorded. */
    findRefit: async ({ id }: RefitOrder) => {
      const found = await findRefit(db, id);
      return found === null ? null : resultOf(found);
    },
    /** Compares the frozen challengers with the weights in force, and fits the next one. */
    proposeWeights: (order: RefitOrder) => withHeartbeat(() => proposeWeights(deps, order)),
    /** Stores the refit with its challenger, and puts it in force if it is better. */
    recordRefit: async ({ id, cutOff }: RefitOrder, proposal: ComparedProposal) => {
      const evidence = proposal.evidence ?? null;
      const recorded = resultOf(
        await recordRefit(db, { id, ...proposal, evidence, cutOff: new Date(cutOff), now: now() }),
      );
      log.info(recorded, 'the weights of the estimate were refitted');
      return recorded;
    },
  };
}

function resultOf({ id, incumbentId, weightsId, activated, evidence, reason }: Refit): RefitResult {
  return { id, incumbentId, weightsId, activated, evidence, reason };
}

async function proposeWeights(
  { db, now }: RefitDependencies,
  { id, cutOff }: RefitOrder,
): Promise<ComparedProposal> {
  const { weights: incumbent } = await readCurrentWeights(db);
  const challengers = await readChallengers(db, incumbent.id);
  const sets = await readTimedSets(db, new Date(cutOff), incumbent.kind);
  const hashed = { sets, rowsSha256: rowsSha256(sets) };
  const refit = refitWeights({
    id,
    cutOff,
    ...hashed,
    incumbent,
    challengers,
    createdAt: now().toISOString(),
  });
  return { incumbentId: incumbent.id, ...(await inTurns(refit)) };
}

/** A record entry can have tens of kilobytes. */
const pageSize = 100;

/** Page after page, of which only the numbers are kept. Nothing is learnt from simulated models. */
async function readTimedSets(db: Db, before: Date, kind: Weights['kind']): Promise<TimedSet[]> {
  const sets: TimedSet[] = [];
  for (let after = 0; ; ) {
    const page = await readGradedReports(db, { simulated: false, before, after, limit: pageSize });
    for (const { reportId, forecast, scores, resolvedAt } of page) {
      const times = { madeAt: forecast.completed_at, resolvedAt: resolvedAt.toISOString() };
      for (const set of reportSets(forecast, scores?.outcomes ?? [], kind)) sets.push({ ...set, ...times });
      after = reportId;
    }
    if (page.length < pageSize) return sets;
  }
}

/** Lets the process do other things after each step: heartbeats, and the runs of customers. */
async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await setImmediate();
    cancellationSignal().throwIfAborted();
  }
}
