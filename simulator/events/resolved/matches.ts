import { momentsOf, type ResolvedSample, resolvedSample, slugOf } from './resolved-sample.js';

/** League matches: exactly one of home win, draw and away win. */
export const matches: readonly ResolvedSample[] = [
  match('2024-09-08', 'Upper Tarn', 'Wexley Rovers', 'draw', [18, 24, 58]),
  match('2024-09-27', 'Calder City Foxes', 'Upper Tarn', 'home', [72, 19, 9], [76, 17, 7]),
  match('2024-10-14', 'Port Selwyn', 'Wexley Rovers', 'away', [27, 32, 41]),
  match('2024-11-06', 'Hartfell Athletic', 'Northport Mariners', 'away', [28, 33, 39]),
  match('2024-11-25', 'Calder City Foxes', 'Eastmoor United', 'away', [27, 28, 45]),
  match('2024-12-14', 'Wexley Rovers', 'Calder City Foxes', 'away', [46, 23, 31], [35, 33, 32]),
  match('2025-01-03', 'Port Selwyn', 'Upper Tarn', 'away', [41, 32, 27]),
  match('2025-01-22', 'Port Selwyn', 'Greyminster', 'away', [43, 32, 25]),
  match('2025-02-11', 'Eastmoor United', 'Wexley Rovers', 'draw', [66, 20, 14]),
  match('2025-03-02', 'Eastmoor United', 'Northport Mariners', 'away', [49, 22, 29], [41, 30, 29]),
  match('2025-03-19', 'Northport Mariners', 'Port Selwyn', 'draw', [72, 19, 9]),
  match('2025-04-09', 'Greyminster', 'Eastmoor United', 'draw', [15, 18, 67]),
  match('2025-04-28', 'Northport Mariners', 'Eastmoor United', 'home', [46, 25, 29]),
  match('2025-05-19', 'Port Selwyn', 'Eastmoor United', 'away', [15, 35, 50], [14, 26, 60]),
  match('2025-06-05', 'Port Selwyn', 'Northport Mariners', 'home', [18, 31, 51]),
  match('2025-06-26', 'Port Selwyn', 'Calder City Foxes', 'home', [21, 31, 48]),
  match('2025-07-16', 'Eastmoor United', 'Calder City Foxes', 'away', [51, 29, 20]),
  match('2025-08-03', 'Calder City Foxes', 'Northport Mariners', 'home', [29, 21, 50], [37, 30, 33]),
  match('2025-08-23', 'Greyminster', 'Calder City Foxes', 'draw', [17, 25, 58]),
  match('2025-09-11', 'Greyminster', 'Port Selwyn', 'home', [37, 31, 32]),
  match('2025-10-01', 'Eastmoor United', 'Greyminster', 'home', [73, 22, 5]),
  match('2025-10-22', 'Greyminster', 'Hartfell Athletic', 'draw', [24, 33, 43], [33, 28, 39]),
  match('2025-11-09', 'Wexley Rovers', 'Hartfell Athletic', 'away', [43, 32, 25]),
  match('2025-11-28', 'Northport Mariners', 'Hartfell Athletic', 'home', [55, 23, 22]),
];

/** @param quotes of home, draw and away, at each moment */
function match(
  day: string,
  home: string,
  away: string,
  winner: 'home' | 'draw' | 'away',
  ...quotes: readonly (readonly [number, number, number])[]
): ResolvedSample {
  const market = (index: number, side: typeof winner, title: string, question: string) => ({
    key: side,
    title,
    question,
    quotes: quotes.map(row => row[index] ?? null),
    ended: side === winner ? ('yes' as const) : ('no' as const),
  });
  return resolvedSample({
    id: `sample-match-${slugOf(`${home} ${away}`)}-${day}`,
    title: `Northern League: ${home} vs. ${away}`,
    rules: `Resolves by the score after ninety minutes and stoppage time of the league match of ${day}. A match that is called off and not replayed within a week counts as a draw.`,
    tag: 'Sports',
    endDate: `${day}T15:00:00Z`,
    exclusive: true,
    feeRate: 0.03,
    daysBefore: momentsOf(quotes, [6, 1]),
    markets: [
      market(0, 'home', home, `Will ${home} win at home against ${away}?`),
      market(1, 'draw', 'Draw', `Will ${home} against ${away} end in a draw?`),
      market(2, 'away', away, `Will ${away} win away at ${home}?`),
    ],
  });
}
