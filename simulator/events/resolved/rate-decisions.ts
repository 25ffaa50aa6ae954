import { momentsOf, type ResolvedSample, resolvedSample } from './resolved-sample.js';

/** Meetings of a central bank: exactly one of cut, hold and raise. */
export const rateDecisions: readonly ResolvedSample[] = [
  decision('2024-03-21', 'hold', [6, 66, 28], [7, 69, 24]),
  decision('2024-06-17', 'hold', [21, 68, 11]),
  decision('2024-09-11', 'hold', [15, 76, 9]),
  decision('2024-12-07', 'raise', [18, 74, 8], [21, 70, 9]),
  decision('2025-03-05', 'hold', [23, 67, 10]),
  decision('2025-05-31', 'hold', [22, 64, 14]),
  decision('2025-08-23', 'hold', [19, 73, 8], [22, 66, 12]),
  decision('2025-11-20', 'hold', [12, 59, 29]),
];

type Decision = 'cut' | 'hold' | 'raise';

/** @param quotes of cut, hold and raise, at each moment */
function decision(
  day: string,
  decided: Decision,
  ...quotes: readonly (readonly [number, number, number])[]
): ResolvedSample {
  const market = (index: number, key: Decision, title: string) => ({
    key,
    title,
    question: `Will the Bank of Estoria ${key} its rate on ${day}?`,
    quotes: quotes.map(row => row[index] ?? null),
    ended: key === decided ? ('yes' as const) : ('no' as const),
  });
  return resolvedSample({
    id: `sample-rate-decision-${day}`,
    title: `What will the Bank of Estoria decide on ${day}?`,
    rules: `Resolves by the rate that the Bank of Estoria publishes after its meeting of ${day}, compared with the rate before it. A meeting that is postponed counts when it is held.`,
    tag: 'Economy',
    endDate: `${day}T12:00:00Z`,
    exclusive: true,
    feeRate: 0.05,
    daysBefore: momentsOf(quotes),
    markets: [market(0, 'cut', 'Cut'), market(1, 'hold', 'Hold'), market(2, 'raise', 'Raise')],
  });
}
