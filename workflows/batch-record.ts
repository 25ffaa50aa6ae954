import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { GradedPage, ResolvedPage } from '../activities/grading/grading-activities.js';
import type { GradingProgress, GradingResult, GradingTally } from '../council/track-record/grading.js';
import { gradingProgress } from './messages.js';
import type { GradingState } from './regrade-input.js';

/** Named in the result; all of them are counted, and stand in the log of the worker. */
const failuresNamedMax = 50;

/** What a batch knows of itself: carried from run to run, and shown to operators at any time. */
export class BatchRecord {
  private known: GradingState;

  constructor(from: GradingState = beginning) {
    this.known = from;
    setHandler(gradingProgress, () => this.progress(), { description: 'How far the batch is.' });
  }

  get state(): GradingState {
    return this.known;
  }

  note(news: Partial<GradingState>): void {
    this.known = { ...this.known, ...news };
    const { phase, tally } = this.known;
    setCurrentDetails(`${phase}: ${tally.graded} graded, ${tally.pending} pending, ${tally.failed} failed`);
  }

  add({ failures = [], ...counts }: Partial<ResolvedPage & GradedPage>): void {
    const { tally, failures: named } = this.known;
    this.note({
      tally: sum(tally, { ...counts, failed: failures.length }),
      failures: [...named, ...failures].slice(0, failuresNamedMax),
    });
  }

  result(): GradingResult {
    return { ...this.known.tally, failures: this.known.failures };
  }

  private progress(): GradingProgress {
    const { phase, of, tally, lastEvent, lastReport } = this.known;
    return { phase, of, cursor: phase === 'resolving' ? lastEvent : lastReport, ...tally };
  }
}

const beginning: GradingState = {
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
