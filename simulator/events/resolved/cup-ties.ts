import {
  type Ended,
  momentsOf,
  type Quote,
  type ResolvedSample,
  resolvedSample,
  slugOf,
} from './resolved-sample.js';

/** Knock-out ties: one market with two named sides. One tie was abandoned, which pays half to each side. */
export const cupTies: readonly ResolvedSample[] = [
  tie('2024-02-26', 'Greyminster', 'Eastmoor United', 'no', 17),
  tie('2024-04-07', 'Saltmarsh', 'Dunmarch Town', 'no', 34),
  tie('2024-05-18', 'Dunmarch Town', 'Ravensford', 'no', 61, 58),
  tie('2024-06-28', 'Fallow Bay', 'Saltmarsh', 'no', 52),
  tie('2024-08-07', 'Upper Tarn', 'Oakhaven', 'yes', 24),
  tie('2024-09-18', 'Port Selwyn', 'Harrow Cross', 'yes', 67),
  tie('2024-10-29', 'Harrow Cross', 'Stonebridge', 'yes', 27),
  tie('2024-12-10', 'Oakhaven', 'Fallow Bay', 'no', 53, 48),
  tie('2025-01-21', 'Stonebridge', 'Port Selwyn', 'fifty_fifty', 51),
  tie('2025-03-04', 'Fallow Bay', 'Dunmarch Town', 'no', 39),
  tie('2025-04-12', 'Oakhaven', 'Northport Mariners', 'yes', 32),
  tie('2025-05-26', 'Harrow Cross', 'Northport Mariners', 'no', 31),
];

/** @param ended `yes`: the first team won. @param quotes of the first team */
function tie(
  day: string,
  first: string,
  second: string,
  ended: Ended,
  ...quotes: readonly Quote[]
): ResolvedSample {
  const title = `Harbour Cup: ${first} vs. ${second}`;
  return resolvedSample({
    id: `sample-tie-${slugOf(`${first} ${second}`)}-${day}`,
    title,
    rules: `Resolves to the winner of the cup tie of ${day}, extra time and penalties included. If the tie is abandoned and not replayed within a month, both sides settle at 50 cents.`,
    tag: 'Sports',
    endDate: `${day}T17:00:00Z`,
    feeRate: 0.03,
    daysBefore: momentsOf(quotes, [5, 1]),
    markets: [{ key: 'winner', question: title, outcomes: [first, second], quotes, ended }],
  });
}
