import type { OutcomeProbability } from './deliberation.js';

/** The same entries in the order of the outcomes asked about: the order a model chose would tell who it is. */
export function orderedAs(
  outcomes: readonly string[],
  distribution: readonly OutcomeProbability[],
): OutcomeProbability[] {
  return [...distribution].sort((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome));
}
