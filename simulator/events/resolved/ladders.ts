import { momentsOf, type ResolvedSample, resolvedSample } from './resolved-sample.js';

/** Price ladders: independent markets, of which a higher one implies every lower one. */
export const ladders: readonly ResolvedSample[] = [
  ladder('2024-06-29', 210, 4, [92, 77, 42, 17]),
  ladder('2024-09-26', 230, 2, [89, 67, 36, 14]),
  ladder('2024-12-25', 230, 2, [88, 65, 34, 10], [90, 73, 38, 14]),
  ladder('2025-03-24', 240, 2, [88, 64, 29, 9]),
  ladder('2025-06-21', 240, 3, [89, 63, 33, 10]),
  ladder('2025-09-22', 250, 4, [87, 64, 29, 9]),
  ladder('2025-12-20', 260, 3, [90, 71, 39, 15], [84, 62, 28, 9]),
];

/**
 * @param lowest crowns a tonne of the lowest rung
 * @param reached how many rungs the price exceeded
 * @param quotes of the rungs from the lowest on, at each moment
 */
function ladder(
  day: string,
  lowest: number,
  reached: number,
  ...quotes: readonly (readonly [number, number, number, number])[]
): ResolvedSample {
  return resolvedSample({
    id: `sample-grain-ladder-${day}`,
    title: `How high will Corvanian grain close on ${day}?`,
    rules: `Each market resolves "Yes" if the closing price of Corvanian grain on ${day} is above the price in its name, in crowns a tonne.`,
    tag: 'Finance',
    endDate: `${day}T16:00:00Z`,
    feeRate: 0.04,
    daysBefore: momentsOf(quotes),
    markets: [0, 1, 2, 3].map(rung => {
      const price = lowest + 10 * rung;
      return {
        key: `above-${price}`,
        title: `Above ${price}`,
        question: `Will Corvanian grain close above ${price} crowns a tonne on ${day}?`,
        quotes: quotes.map(row => row[rung] ?? null),
        ended: rung < reached ? 'yes' : 'no',
      };
    }),
  });
}
