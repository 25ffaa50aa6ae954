import type {
  GradingFailure,
  GradingProgress,
  GradingSelection,
  GradingTally,
} from '../council/track-record/grading.js';
import type { BoundedPolicy } from './council-report-input.js';

/** What a batch is started with. */
export interface RegradeInput {
  readonly selection: GradingSelection;
  readonly terms: GradingPolicy;
  /** Where the run before this one left off. */
  readonly from?: GradingState;
}

/** How a batch works; the numbers stand in `temporal.yaml`, and travel here so that a run replays the same. */
export interface GradingPolicy {
  /** Events or reports in a page. */
  readonly page_size: number;
  /** Pages graded at once. */
  readonly window: number;
  /** After so many pages a batch goes on in a new run, with an empty history. */
  readonly pages_per_run: number;
  readonly policies: {
    /** Lists, and counts. */
    readonly list: BoundedPolicy;
    readonly page: BoundedPolicy & { readonly heartbeat_ms: number };
    /** Computes the published figures. */
    readonly refresh: BoundedPolicy;
  };
}

/** What a batch carries from one run to the next: small, however long it lasts. */
export interface GradingState {
  readonly phase: GradingProgress['phase'];
  readonly lastEvent: string | null;
  readonly lastReport: number;
  readonly of: number | null;
  readonly tally: GradingTally;
  readonly failures: readonly GradingFailure[];
}
