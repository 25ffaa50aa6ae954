import { type Ended, type ResolvedSample, resolvedSample, slugOf } from './resolved-sample.js';

/** Who reaches the last four of a cup: independent markets. One club was struck off, and its market is void. */
export const lastFour: readonly ResolvedSample[] = [
  season('2024-04-28', {
    Greyminster: [56, 'yes'],
    'Harrow Cross': [28, 'no'],
    Oakhaven: [75, 'no'],
    'Wexley Rovers': [65, 'yes'],
    'Lower Tarn': [32, 'no'],
  }),
  season('2024-08-18', {
    'Eastmoor United': [80, 'yes'],
    'Hartfell Athletic': [72, 'no'],
    'Upper Tarn': [37, 'no'],
    Stonebridge: [54, 'no'],
    'Northport Mariners': [37, 'yes'],
  }),
  season('2024-12-06', {
    Greyminster: [66, 'yes'],
    'Hartfell Athletic': [81, 'no'],
    'Fallow Bay': [34, 'void'],
    'Port Selwyn': [43, 'yes'],
    Oakhaven: [69, 'yes'],
  }),
  season('2025-03-29', {
    'Wexley Rovers': [47, 'no'],
    'Hartfell Athletic': [53, 'yes'],
    Saltmarsh: [72, 'yes'],
    'Eastmoor United': [69, 'no'],
    'Northport Mariners': [19, 'yes'],
  }),
  season('2025-07-20', {
    'Port Selwyn': [44, 'yes'],
    'Calder City Foxes': [59, 'yes'],
    'Wexley Rovers': [29, 'no'],
    'Lower Tarn': [35, 'yes'],
    Greyminster: [45, 'yes'],
  }),
  season('2025-11-08', {
    'Eastmoor United': [36, 'no'],
    Ravensford: [60, 'yes'],
    'Port Selwyn': [51, 'yes'],
    'Upper Tarn': [18, 'no'],
    'Harrow Cross': [56, 'no'],
  }),
];

/** @param clubs with the quote of each, and how its market ended */
function season(
  day: string,
  clubs: Readonly<Record<string, readonly [quote: number, ended: Ended]>>,
): ResolvedSample {
  return resolvedSample({
    id: `sample-last-four-${day}`,
    title: `Harbour Cup: who will be among the last four on ${day}?`,
    rules: `Each market resolves "Yes" if the named club has won its quarter-final by ${day}. If a club leaves the competition before its quarter-final, its market is void.`,
    tag: 'Sports',
    endDate: `${day}T20:00:00Z`,
    feeRate: 0.03,
    daysBefore: [12],
    markets: Object.entries(clubs).map(([name, [quote, ended]]) => ({
      key: slugOf(name),
      title: name,
      question: `Will ${name} reach the last four?`,
      quotes: [quote],
      ended,
    })),
  });
}
