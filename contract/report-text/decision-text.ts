import type { GradeView } from '../grade.js';

/**
 * Who decided the event's result, what it paid if that was a part of a dollar, and whether it was disputed: `Decided by
 * UMA’s oracle. The answer was disputed.` Empty while nothing is final.
 */
export function decisionText({ markets }: Pick<GradeView, 'markets'>): string {
  const names = new Set(markets.flatMap(({ decided_by: by }) => (by === null ? [] : [deciderNames[by]])));
  const disputed = markets.filter(market => market.was_disputed).length;
  return [
    names.size === 0 ? '' : `Decided by ${[...names].join(' and ')}.`,
    paidText(markets),
    disputed === 0
      ? ''
      : markets.length === 1
        ? 'The answer was disputed.'
        : `Disputed: ${disputed} of the markets.`,
  ]
    .filter(sentence => sentence !== '')
    .join(' ');
}

function paidText(markets: GradeView['markets']): string {
  const parts = markets.flatMap(({ settlement_value: paid }) =>
    paid !== null && paid > 0 && paid < 1 ? [paid] : [],
  );
  const [part] = parts;
  if (part === undefined) return '';
  return markets.length === 1
    ? `A share of YES paid ${usdText(part)}.`
    : `Paid in part: ${parts.length} of the markets.`;
}

/** With all of its decimals, and two at least. */
function usdText(dollars: number): string {
  const cents = dollars.toFixed(2);
  return `$${Number(cents) === dollars ? cents : dollars}`;
}

const deciderNames: Readonly<Record<NonNullable<GradeView['markets'][number]['decided_by']>, string>> = {
  uma: 'UMA’s oracle',
  chainlink: 'a Chainlink price feed',
  operator: 'an account of the venue',
  exchange: 'the exchange',
  sample: 'the sample event',
  prices: 'final prices',
};
