import { defineQuery, setCurrentDetails } from '@temporalio/workflow';
import type { GradedPage } from '../activities/grading/grade-reports.js';
import type { ResolvedPage } from '../activities/grading/resolve-events.js';
import type {
  GradingFailure,
  GradingProgress,
  GradingResult,
  GradingTally,
} from '../record/grades/grading.js';

/** How far a grading batch is. */
export const gradingProgress = defineQuery<GradingProgress>('gradingProgress');

/** What a batch carries from one run to the next. Its size does not grow with the batch. */
export interface GradingState {
  readonly phase: GradingProgress['phase'];
  readonly lastEvent: string | null;
  readonly lastReport: number;
  readonly of: number | null;
  readonly tally: GradingTally;
  readonly failures: readonly GradingFailure[];
}

/** The result names this many failures. All are counted, and the worker's log has all of them. */
const namedFailuresMax = 50;

/** The progress of a batch over all its runs, shown to operators at any time. */
export class BatchProgress {
  private current: GradingState;

  constructor(from: GradingState = initialState) {
    this.current = from;
  }

  get state(): GradingState {
    return this.current;
  }

  update(changes: Partial<GradingState>): void {
    this.current = { ...this.current, ...changes };
    const { phase, tally } = this.current;
    setCurrentDetails(`${phase}: ${tally.graded} graded, ${tally.pending} pending, ${tally.failed} failed`);
  }

  addPage({ failures = [], ...counts }: Partial<ResolvedPage & GradedPage>): void {
    const { tally, failures: named } = this.current;
    this.update({
      tally: sum(tally, { ...counts, failed: failures.length }),
      failures: [...named, ...failures].slice(0, namedFailuresMax),
    });
  }

  progress(): GradingProgress {
    const { phase, of, tally, lastEvent, lastReport } = this.current;
    return { phase, of, cursor: phase === 'resolving' ? lastEvent : lastReport, ...tally };
  }

  result(): GradingResult {
    return { ...this.current.tally, failures: this.current.failures };
  }
}

const initialState: GradingState = {
  phase: 'resolving',
  lastEvent: null,
  lastReport: 0,
  of: null,
  tally: { events: 0, resolved: 0, graded: 0, pending: 0, unchanged: 0, failed: 0 },
  failures: [],
};

function sum(tally: GradingTally, page: Partial<GradingTally>): GradingTally {
  return {
    events: tally.events + (page.events ?? 0),
    resolved: tally.resolved + (page.resolved ?? 0),
    graded: tally.graded + (page.graded ?? 0),
    pending: tally.pending + (page.pending ?? 0),
    unchanged: tally.unchanged + (page.unchanged ?? 0),
    failed: tally.failed + (page.failed ?? 0),
  };
}
