/** Sentences that several prompts share. */
export const jsonRule =
  'Answer with one JSON object with exactly these fields, and nothing before or after it.';

export function numberRule(exclusive: boolean): string {
  return exclusive
    ? 'Probabilities are percents from 0 to 100, not fractions, and add up to 100.'
    : 'Probabilities are percents from 0 to 100, not fractions; each stands by itself.';
}
