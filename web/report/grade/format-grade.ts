import type { GradeView } from '../../../contract/grade.js';
import { listed } from '../../shared/format.js';

type Scores = NonNullable<GradeView['scores']>;

/** Why an event cannot be graded. */
const ungraded: Readonly<Record<Exclude<GradeView['state'], 'graded'>, string>> = {
  void: 'The market ended without a winner. The forecast is not graded and counts in no figure.',
  fifty_fifty: 'The market paid half to each side. The forecast is not graded and counts in no figure.',
  disputed: 'The resolution is disputed. The forecast is graded once the market settles it.',
};

export function outcomeText(
  { state, scores, open_markets: open }: Pick<GradeView, 'state' | 'scores' | 'open_markets'>,
  exclusive: boolean,
): string {
  if (state !== 'graded') return ungraded[state];
  const happened =
    scores?.outcomes.filter(outcome => outcome.happened === 1).map(({ name }) => `“${name}”`) ?? [];
  if (exclusive) return `It resolved to ${listed(happened)}.`;
  const result = happened.length === 0 ? 'None of these happened' : `${listed(happened)} happened`;
  return open === 0
    ? `${result}.`
    : `${result}; ${open} of the markets ${open === 1 ? 'is' : 'are'} not final.`;
}

/** Whether council or market scored better on this report. */
export function comparisonText({ council, market }: Pick<Scores, 'council' | 'market'>): string {
  if (council === null || market === null) {
    return 'The market had no price for some of the outcomes, so the two cannot be compared.';
  }
  const difference = council.brier - market.brier;
  const result =
    Math.abs(difference) < sameBrier
      ? 'Council and market scored the same'
      : difference < 0
        ? 'The council scored better than the market'
        : 'The market scored better than the council';
  return `${result} on this report. One report says little; see the track record for all of them.`;
}

/** Smaller differences are not visible at three decimals. */
const sameBrier = 0.0005;
