/** Which reports a batch grades. `all` grades every report again; `grader` is the version that does it. */
export type GradingSelection =
  | { readonly kind: 'due' }
  | { readonly kind: 'event'; readonly eventId: string }
  /** Completed on this day (YYYY-MM-DD, UTC) or later, and on the day `until` or earlier. */
  | { readonly kind: 'since'; readonly date: string; readonly until?: string }
  | { readonly kind: 'all'; readonly grader: string };

/** Progress of a batch in numbers. */
export interface GradingTally {
  /** Events read from the market. */
  readonly events: number;
  /** Events with a new or changed resolution. */
  readonly resolved: number;
  readonly graded: number;
  /** Reports whose event is not over. */
  readonly pending: number;
  /** Reports already graded with the same outcome and the same grader version. */
  readonly unchanged: number;
  /** Events that could not be resolved and reports that could not be graded. */
  readonly failed: number;
}

export interface GradingFailure {
  readonly subject: 'event' | 'report';
  readonly id: string;
  readonly reason: GradingFailureReason;
}

/** Why an event could not be resolved or a report could not be graded, as shown to operators. */
export const gradingFailureReasons = {
  market_unavailable: 'the market could not be read',
  event_unknown: 'the market no longer lists the event',
  record_unreadable: 'its entry in the record cannot be read',
  not_kept: 'it could not be stored; see the worker log',
  gave_up: 'it was abandoned after too many attempts',
} as const;

export type GradingFailureReason = keyof typeof gradingFailureReasons;

export interface GradingProgress extends GradingTally {
  readonly phase: 'resolving' | 'grading' | 'refreshing' | 'done';
  /** Number of reports to grade when grading began; null before that. */
  readonly of: number | null;
  /** The last event, then the last report, that was processed. */
  readonly cursor: string | number | null;
}

export interface GradingResult extends GradingTally {
  /** The first ones if there are many. */
  readonly failures: readonly GradingFailure[];
}

/** The natural key of a batch: two requests to grade the same reports share one batch. */
export function gradingName(selection: GradingSelection): string {
  switch (selection.kind) {
    case 'due':
      return 'regrade/due';
    case 'event':
      return `regrade/event/${selection.eventId}`;
    case 'since':
      return selection.until === undefined
        ? `regrade/since/${selection.date}`
        : `regrade/since/${selection.date}/until/${selection.until}`;
    case 'all':
      return `regrade/all/${selection.grader}`;
  }
}
