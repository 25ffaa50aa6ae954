import type { RuntimeView } from '../runtime.js';

/** How the confidence of a report is calculated, shared by the page and the report in Markdown. */
export function confidenceText({ name, thresholds }: RuntimeView['method']): string {
  const zero = thresholds['confidence_spread_zero'];
  const withoutEvidence = thresholds['confidence_without_evidence'];
  const apart =
    zero === undefined ? '' : `, which falls to zero where members are ${100 * zero} points apart`;
  const own =
    name === 'council/1'
      ? ''
      : ': 100 minus the width of the range in which a member expects its own probability after a further day of research';
  const nothingFound =
    withoutEvidence === undefined
      ? ''
      : `, and multiplied by ${withoutEvidence} if members searched and found nothing`;
  return (
    `Confidence: one half is agreement${apart}. The other half is the median of the members’ own confidence${own}. ` +
    `It is lowered if a member was lost and in a conflict${nothingFound}. It is not calibrated: use it to rank reports.`
  );
}
