import type { CheckView } from '../../contract/purchase.js';
import { ApiProblem } from './api-problem.js';

/** One way to pay, and whether this member can. */
export interface LaneOffer {
  readonly lane: CheckView['lane'];
  /** Null where the lane cannot be used. */
  readonly check: CheckView | null;
  /** What it cannot be used without. */
  readonly missing: readonly string[];
}

/** That a lane is not set up is an answer, and not a failure of the question. */
export function orRefusedLane(lane: CheckView['lane']): (error: unknown) => LaneOffer {
  return error => {
    if (!(error instanceof ApiProblem) || error.code !== 'lane_unavailable') throw error;
    return { lane, check: null, missing: error.document?.missing ?? [] };
  };
}
