import type { SampleMarket } from './build-sample-event.js';
import { buildSampleEvent } from './build-sample-event.js';

/** Open events in which exactly one outcome wins. */
export const exclusiveEvents: readonly unknown[] = [
  buildSampleEvent({
    id: 'sample-ridge-derby-2031',
    title: 'Ridge Derby: Eastmoor United vs. Wexley Rovers',
    rules:
      'Resolves by the score after ninety minutes and stoppage time of the league match of 12 April 2031. A match that is called off and not replayed within a week counts as a draw.',
    tag: 'Sports',
    endDate: '2031-04-12T15:00:00Z',
    exclusive: true,
    feeRate: 0.03,
    markets: [
      outcome('eastmoor', 'Eastmoor United', 'Will Eastmoor United win the derby?', 1_204_551, [0.46, 0.47]),
      outcome('draw', 'Draw', 'Will the derby end in a draw?', 288_402.6, [0.26, 0.27]),
      outcome('wexley', 'Wexley Rovers', 'Will Wexley Rovers win the derby?', 402_118.3, [0.26, 0.28]),
    ],
  }),
  buildSampleEvent({
    id: 'sample-song-contest-2031',
    title: 'Winner of the Nine Rivers Song Contest 2031',
    rules:
      'Resolves to the entry with the most points in the grand final of the Nine Rivers Song Contest of 2031. A shared first place counts for the entry that the published rules of the contest put first.',
    tag: 'Culture',
    endDate: '2031-05-17T22:00:00Z',
    exclusive: true,
    feeRate: 0.05,
    markets: [
      entrant('Alderney', 1_930_220.5, [0.24, 0.25]),
      entrant('Brightwater', 1_210_880.1, [0.18, 0.19]),
      entrant('Corvania', 1_644_013.9, [0.15, 0.16]),
      entrant('Dunmarch', 702_664.4, [0.12, 0.13]),
      entrant('Estoria', 655_091.2, [0.09, 0.1]),
      entrant('Fallowfield', 498_330.7, [0.07, 0.08]),
      entrant('Gravenland', 389_415.8, [0.06, 0.07]),
      entrant('Hollin Isle', 301_027.3, [0.04, 0.05]),
    ],
  }),
  buildSampleEvent({
    id: 'sample-calder-mayor-2031',
    title: 'Who will be elected mayor of Calder City?',
    rules:
      'Resolves to the person declared elected by the returning officer after the mayoral election of November 2031, run-off included. Candidates who enter the race later are added by name; "Other" stands for anybody who is not listed when the result is declared.',
    tag: 'Politics',
    endDate: '2031-11-04T23:00:00Z',
    exclusive: true,
    openEnded: true,
    feeRate: 0.04,
    markets: [
      candidate('Imogen Vale', 842_009.2, [0.48, 0.49]),
      candidate('Tobias Renner', 611_730.5, [0.3, 0.31]),
      candidate('Sadiya Okonjo', 240_118.6, [0.13, 0.14]),
      { ...candidate('Other', 51_200.4, [0.06, 0.08]), other: true },
      reserved('Person A'),
      reserved('Person B'),
      reserved('Person C'),
    ],
  }),
  buildSampleEvent({
    id: 'sample-chess-knockout-2031',
    title: 'Winner of the Lakeside Chess Knockout 2031',
    rules:
      'Resolves to the winner of the Lakeside Chess Knockout of 2031. A player who is knocked out resolves "No" at once.',
    tag: 'Sports',
    endDate: '2031-09-28T20:00:00Z',
    exclusive: true,
    feeRate: 0.03,
    markets: [
      player('Arvid Lindqvist', 310_550.9, [0.51, 0.52]),
      player('Mei-Lin Castellanos', 288_914.2, [0.31, 0.32]),
      player('Oskar Brandt', 144_020.7, [0.16, 0.17]),
      eliminated('Priya Raman', 92_344.1),
      eliminated('Jonah Whitlock', 71_203.8),
    ],
  }),
];

function outcome(
  key: string,
  title: string,
  question: string,
  volume: number,
  book: readonly [number, number],
): SampleMarket {
  return { key, title, question, volume, book, lastTrade: book[1] };
}

function entrant(name: string, volume: number, book: readonly [number, number]): SampleMarket {
  return outcome(keyOf(name), name, `Will ${name} win the Nine Rivers Song Contest 2031?`, volume, book);
}

function candidate(name: string, volume: number, book: readonly [number, number]): SampleMarket {
  const who = name === 'Other' ? 'somebody else' : name;
  return outcome(keyOf(name), name, `Will ${who} be elected mayor of Calder City?`, volume, book);
}

function reserved(name: string): SampleMarket {
  const question = `Will ${name} be elected mayor of Calder City?`;
  return { key: keyOf(name), title: name, question, volume: 0, reserved: true };
}

function player(name: string, volume: number, book: readonly [number, number]): SampleMarket {
  return outcome(keyOf(name), name, `Will ${name} win the Lakeside Chess Knockout 2031?`, volume, book);
}

function eliminated(name: string, volume: number): SampleMarket {
  const question = `Will ${name} win the Lakeside Chess Knockout 2031?`;
  const book = [null, 0.001] as const;
  return {
    key: keyOf(name),
    title: name,
    question,
    volume,
    book,
    lastTrade: 0.001,
    final: ['0', '1'],
    oracle: 'resolved',
  };
}

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
