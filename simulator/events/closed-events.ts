import type { SampleMarket } from './build-sample-event.js';
import { buildSampleEvent } from './build-sample-event.js';

/** Closed events: won, lost, settled at half, without payout, and disputed. */
export const closedEvents: readonly unknown[] = [
  buildSampleEvent({
    id: 'sample-bridge-opening-2025',
    title: 'Will the Selwyn Bridge open before October 2025?',
    rules: 'Resolves "Yes" if the Selwyn Bridge carries its first public traffic before 1 October 2025.',
    tag: 'World',
    endDate: '2025-09-30T23:59:00Z',
    closed: true,
    markets: [
      {
        key: 'yes',
        question: 'Will the Selwyn Bridge open before October 2025?',
        volume: 187_540.2,
        book: [0.999, null],
        lastTrade: 0.999,
        final: ['1', '0'],
        oracle: 'resolved',
      },
    ],
  }),
  buildSampleEvent({
    id: 'sample-budget-vote-2025',
    title: 'Will the Calder City budget pass in its first vote?',
    rules:
      'Resolves "Yes" if the council of Calder City adopts the budget for 2026 in the first vote held on it.',
    tag: 'Politics',
    endDate: '2025-12-12T20:00:00Z',
    closed: true,
    feeRate: 0.04,
    // The last trade of a losing market can be a settlement at 1.
    markets: [
      {
        key: 'yes',
        question: 'Will the Calder City budget for 2026 pass in its first vote?',
        volume: 73_118.6,
        lastTrade: 1,
        final: ['0', '1'],
        oracle: 'resolved',
      },
    ],
  }),
  buildSampleEvent({
    id: 'sample-sailing-trophy-2025',
    title: 'Winner of the Four Capes Sailing Trophy 2025',
    rules: 'Resolves to the boat awarded the Four Capes Sailing Trophy of 2025 after all protests are heard.',
    tag: 'Sports',
    endDate: '2025-08-30T18:00:00Z',
    closed: true,
    exclusive: true,
    feeRate: 0.03,
    markets: [
      boat('Kestrel', 140_660.8, ['0', '1']),
      boat('Morning Tide', 120_404.5, ['1', '0']),
      boat('Sable Wind', 66_092.1, ['0', '1']),
      boat('Ultramarine', 31_870.9, ['0', '1']),
    ],
  }),
  buildSampleEvent({
    id: 'sample-abandoned-final-2025',
    title: 'Lantern League Final: Hartfell Athletic vs. Greyminster',
    rules:
      'Resolves to the winner of the Lantern League final of 2025. If the final is abandoned and not replayed, both sides settle at 50 cents.',
    tag: 'Sports',
    endDate: '2025-06-07T19:00:00Z',
    closed: true,
    feeRate: 0.03,
    markets: [
      {
        key: 'winner',
        question: 'Lantern League Final: Hartfell Athletic vs. Greyminster',
        outcomes: ['Hartfell Athletic', 'Greyminster'],
        volume: 58_731.4,
        lastTrade: 0.5,
        final: ['0.5', '0.5'],
        oracle: 'resolved',
      },
    ],
  }),
  buildSampleEvent({
    id: 'sample-cancelled-census-2024',
    title: 'Will the Estorian census count more than four million people?',
    rules: 'Resolves "Yes" if the Estorian census of 2024 reports a population of more than 4,000,000.',
    tag: 'World',
    endDate: '2024-12-31T23:59:00Z',
    closed: true,
    markets: [
      {
        key: 'yes',
        question: 'Will the Estorian census of 2024 count more than four million people?',
        volume: 4_902.3,
        final: ['0', '0'],
      },
    ],
  }),
  buildSampleEvent({
    id: 'sample-disputed-record-2025',
    title: 'Will the solo rowing record across the Inner Sea fall in 2025?',
    rules:
      'Resolves "Yes" if a solo crossing of the Inner Sea by rowing boat in less than 31 days is ratified for 2025.',
    tag: 'Sports',
    endDate: '2025-12-31T23:59:00Z',
    closed: true,
    feeRate: 0.03,
    markets: [
      {
        key: 'yes',
        question: 'Will the solo rowing record across the Inner Sea fall in 2025?',
        volume: 21_655.7,
        lastTrade: 0.97,
        final: ['0.97', '0.03'],
        oracle: 'disputed',
      },
    ],
  }),
];

function boat(name: string, volume: number, final: readonly [string, string]): SampleMarket {
  const key = name.toLowerCase().replaceAll(' ', '-');
  const question = `Will ${name} win the Four Capes Sailing Trophy 2025?`;
  return { key, title: name, question, volume, lastTrade: 1, final, oracle: 'resolved' };
}
