import type { SampleMarket } from './build-sample-event.js';
import { buildSampleEvent } from './build-sample-event.js';

/** Open events with independent markets: several can resolve YES, so prices do not add up to 1. */
export const independentEvents: readonly unknown[] = [
  buildSampleEvent({
    id: 'sample-oil-ladder-2031',
    title: 'How high will crude oil close in June 2031?',
    rules:
      'Each market resolves "Yes" if the front-month future of Brent crude settles above the price in its name on at least one trading day of June 2031.',
    tag: 'Finance',
    endDate: '2031-06-30T20:00:00Z',
    feeRate: 0.04,
    markets: [
      rung(60, 88_120.4, [0.93, 0.94]),
      rung(70, 140_559.8, [0.74, 0.76]),
      rung(80, 301_771.6, [0.41, 0.42]),
      rung(90, 212_380.3, [0.18, 0.19]),
      rung(100, 260_904.9, [0.07, 0.08]),
    ],
  }),
  buildSampleEvent({
    id: 'sample-northern-league-top-four-2031',
    title: 'Northern League: who will finish in the top four?',
    rules:
      'Each market resolves "Yes" if the named club is among the first four of the final table of the Northern League season that ends in May 2031.',
    tag: 'Sports',
    endDate: '2031-05-18T18:00:00Z',
    feeRate: 0.03,
    markets: [
      club('Eastmoor United', 190_330.1, [0.92, 0.93]),
      club('Northport Mariners', 175_204.9, [0.84, 0.85]),
      club('Calder City Foxes', 160_487.5, [0.71, 0.73]),
      club('Wexley Rovers', 133_918.2, [0.55, 0.56]),
      club('Hartfell Athletic', 98_220.6, [0.44, 0.46]),
      club('Port Selwyn', 61_704.3, [0.29, 0.3]),
      club('Greyminster', 40_115.7, [0.18, 0.19]),
      club('Upper Tarn', 12_409.4, [0.05, 0.06]),
    ],
  }),
  buildSampleEvent({
    id: 'sample-exoplanet-claims-2031',
    title: 'Which discoveries will be announced in 2031?',
    rules:
      'Each market resolves "Yes" if the discovery in its name is announced in 2031 in a paper accepted by a peer-reviewed journal. Several may.',
    tag: 'Science',
    endDate: '2031-12-31T23:59:00Z',
    markets: [
      discovery('exomoon', 'First confirmed moon of an exoplanet', 22_180.3, [0.21, 0.25]),
      discovery('ninth-planet', 'A ninth planet of the Solar System', 48_300.9, [0.03, 0.05]),
      discovery('new-element', 'A new chemical element', 15_044.6, [0.12, 0.16]),
    ],
  }),
];

function rung(dollars: number, volume: number, book: readonly [number, number]): SampleMarket {
  const title = `Above $${dollars}`;
  const question = `Will Brent crude settle above $${dollars} in June 2031?`;
  return { key: `above-${dollars}`, title, question, volume, book, lastTrade: book[0] };
}

function club(name: string, volume: number, book: readonly [number, number]): SampleMarket {
  const key = name.toLowerCase().replaceAll(' ', '-');
  const question = `Will ${name} finish in the top four of the Northern League?`;
  return { key, title: name, question, volume, book, lastTrade: book[1] };
}

function discovery(
  key: string,
  title: string,
  volume: number,
  book: readonly [number, number],
): SampleMarket {
  return { key, title, question: `${title} announced in 2031?`, volume, book, lastTrade: book[0] };
}
