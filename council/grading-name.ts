import type { GradingSelection } from './grading.js';

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
