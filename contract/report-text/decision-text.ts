import type { GradeView } from '../grade.js';

/**
 * Who decided the event's result, and whether it was disputed: `Decided by UMA’s oracle. The answer was disputed.` Empty
 * while nothing is final.
 */
export function decisionText({ markets }: Pick<GradeView, 'markets'>): string {
  const names = new Set(markets.flatMap(({ decided_by: by }) => (by === null ? [] : [deciderNames[by]])));
  const disputed = markets.filter(market => market.was_disputed).length;
  return [
    names.size === 0 ? '' : `Decided by ${[...names].join(' and ')}.`,
    disputed === 0
      ? ''
      : markets.length === 1
        ? 'The answer was disputed.'
        : `Disputed: ${disputed} of the markets.`,
  ]
    .filter(sentence => sentence !== '')
    .join(' ');
}

const deciderNames: Readonly<Record<NonNullable<GradeView['markets'][number]['decided_by']>, string>> = {
  uma: 'UMA’s oracle',
  chainlink: 'a Chainlink price feed',
  operator: 'an account of the venue',
  exchange: 'the exchange',
  sample: 'the sample event',
  prices: 'final prices',
};
