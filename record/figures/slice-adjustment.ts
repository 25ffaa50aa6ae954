/**
 * `bonferroni`: with 95 % probability, all `confidence_sequence_95` of the set hold together, because each allows an
 * error of 5 % divided by the number of slices. `none`: the slices are means without a claim about a difference, or make
 * each its claim alone.
 * `interval_95` is never adjusted.
 */
export const sliceAdjustments = ['none', 'bonferroni'] as const;

export type SliceAdjustment = (typeof sliceAdjustments)[number];

export type SliceAdjustments = Readonly<
  Record<
    | 'by_model'
    | 'by_action'
    | 'by_flag'
    | 'by_evidence'
    | 'by_category'
    | 'bets_by_kind'
    | 'left_out'
    | 'wealth',
    SliceAdjustment
  >
>;

/** Of the sets of slices in the track record. */
export const sliceAdjustment: SliceAdjustments = {
  by_model: 'none',
  by_action: 'bonferroni',
  by_flag: 'bonferroni',
  by_evidence: 'bonferroni',
  by_category: 'bonferroni',
  bets_by_kind: 'bonferroni',
  left_out: 'bonferroni',
  wealth: 'none',
};
