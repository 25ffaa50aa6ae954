/** Which reports a batch grades. `all`: again, whatever was graded before; `grader` is the version that does it. */
export type GradingSelection =
  | { readonly kind: 'due' }
  | { readonly kind: 'event'; readonly eventId: string }
  /** Completed on that day (YYYY-MM-DD, UTC) or later. */
  | { readonly kind: 'since'; readonly date: string }
  | { readonly kind: 'all'; readonly grader: string };

/** What a batch has done so far. */
export interface GradingTally {
  /** Events that the market was asked about. */
  readonly events: number;
  /** Of those, the ones that ended, or ended otherwise than was known. */
  readonly resolved: number;
  readonly graded: number;
  /** Their event is not over. */
  readonly pending: number;
  /** Graded already, under the same outcome and the same version of the grader. */
  readonly unchanged: number;
  /** Events and reports that nothing could be done about this time. */
  readonly failed: number;
}

export interface GradingFailure {
  readonly subject: 'event' | 'report';
  readonly id: string;
  readonly reason: GradingFailureReason;
}

/** Why an event could not be resolved, or a report not graded, in words for operators. */
export const gradingFailureReasons = {
  market_unavailable: 'the market could not be read',
  event_unknown: 'the market does not know the event any more',
  record_unreadable: 'its entry in the record cannot be read',
  not_kept: 'it could not be stored; the log of the worker says why',
  gave_up: 'its page was given up after too many attempts',
} as const;

export type GradingFailureReason = keyof typeof gradingFailureReasons;

export interface GradingProgress extends GradingTally {
  readonly phase: 'resolving' | 'grading' | 'refreshing' | 'done';
  /** How many reports there were to grade when grading began; null before that. */
  readonly of: number | null;
  /** The last event, and then the last report, that was taken up. */
  readonly cursor: string | number | null;
}

export interface GradingResult extends GradingTally {
  /** The first of them where there are many. */
  readonly failures: readonly GradingFailure[];
}

/** The natural key of a batch: whoever asks for the same reports to be graded meets in the batch of that name. */
export function gradingName(selection: GradingSelection): string {
  switch (selection.kind) {
    case 'due':
      return 'regrade/due';
    case 'event':
      return `regrade/event/${selection.eventId}`;
    case 'since':
      return `regrade/since/${selection.date}`;
    case 'all':
      return `regrade/all/${selection.grader}`;
  }
}
