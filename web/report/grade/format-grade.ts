import type { GradeView } from '../../../contract/grade.js';

type Scores = NonNullable<GradeView['scores']>;

/** What became of an event that cannot be graded. */
const ungraded: Readonly<Record<Exclude<GradeView['state'], 'graded'>, string>> = {
  void: 'The market was declared void. There is no outcome to grade the forecast by, and it counts in no figure.',
  fifty_fifty:
    'The market paid half to each side. There is no outcome to grade the forecast by, and it counts in no figure.',
  disputed: 'What happened is disputed. The forecast is graded once the market has settled it.',
};

/** What happened, in a sentence. */
export function outcomeText(
  { state, scores }: Pick<GradeView, 'state' | 'scores'>,
  exclusive: boolean,
): string {
  if (state !== 'graded') return ungraded[state];
  const happened =
    scores?.outcomes.filter(outcome => outcome.happened === 1).map(({ name }) => `“${name}”`) ?? [];
  if (exclusive) return `It came out as ${listed(happened)}.`;
  if (happened.length === 0) return 'None of these came true.';
  return `${listed(happened)} came true.`;
}

/** Who was closer. A single report says little, and the sentence says that too. */
export function comparisonText({ council, market }: Pick<Scores, 'council' | 'market'>): string {
  if (council === null || market === null) {
    return 'The market had no price on some of the outcomes, so the two cannot be compared here.';
  }
  const difference = council.brier - market.brier;
  const said =
    Math.abs(difference) < sameBrier
      ? 'Council and market were as close as one another'
      : difference < 0
        ? 'The council was closer than the market'
        : 'The market was closer than the council';
  return `${said} this time. One report says little about which is better: the track record has all of them.`;
}

/** Differences of less are not shown in three decimals either. */
const sameBrier = 0.0005;

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
