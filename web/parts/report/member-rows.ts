import type { OpinionView, ReviewView } from '../../../contract/deliberation.js';

export interface MemberRow {
  readonly outcome: string;
  readonly first: number;
  /** The one that counts: the first, where the review was lost. */
  readonly final: number;
}

const shownMax = 6;

/** A member's forecast before and after the review, most likely first. */
export function memberRows(
  opinion: Pick<OpinionView, 'distribution'>,
  review: Pick<ReviewView, 'revised_distribution'> | null,
): { readonly shown: readonly MemberRow[]; readonly folded: readonly MemberRow[] } {
  const rows = opinion.distribution
    .map(({ outcome, probability }) => ({
      outcome,
      first: probability,
      final: review?.revised_distribution.find(each => each.outcome === outcome)?.probability ?? probability,
    }))
    .sort((a, b) => b.final - a.final);
  const kept = rows.length <= shownMax ? rows.length : shownMax - 1;
  return { shown: rows.slice(0, kept), folded: rows.slice(kept) };
}
