/** How many of the graded forecasts are proved to be older than their outcomes, and whether the chain keeps its promise. */
export interface RecordProof {
  readonly graded: number;
  /** Forecasts whose entry a receipt covers from before the outcome can have been known. */
  readonly stamped_before_outcome: number;
  /** The other graded forecasts: their dates rest on the word of the operator. */
  readonly unproven: number;
  /** Entries of the chain that are hidden after their `opens_by`. */
  readonly overdue: number;
}

/**
 * The same in words.
 *
 * @param authority the time-stamp authority of the newest receipt; null if there is none
 */
export function proofText(authority: string | null, proof: RecordProof): string {
  return [stampedText(authority, proof), ...overdueText(proof)].join(' ');
}

function stampedText(
  authority: string | null,
  { graded, stamped_before_outcome: stamped, unproven }: RecordProof,
): string {
  if (authority === null) {
    return 'The record is unproven: no time-stamp authority has signed it, so its dates rest on the word of the operator.';
  }
  if (graded === 0) return `The record is time-stamped by ${authority}.`;
  const rest = unproven === 0 ? '' : `; ${unproven} ${unproven === 1 ? 'is' : 'are'} unproven`;
  return `${stamped} of ${graded} graded forecasts have a receipt of ${authority} from before their outcome${rest}.`;
}

function overdueText({ overdue }: RecordProof): string[] {
  if (overdue === 0) return [];
  return [
    `${overdue} ${overdue === 1 ? 'entry is' : 'entries are'} overdue: hidden after the time that was promised.`,
  ];
}
