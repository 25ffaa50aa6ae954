import { buildSampleEvent } from './build-sample-event.js';

/**
 * Open events with one market each: with and without fees, with a wide or an empty book, between two teams.
 */
export const binaryEvents: readonly unknown[] = [
  buildSampleEvent({
    id: 'sample-fed-cut-2031',
    title: 'Will the Federal Reserve cut rates in March 2031?',
    rules:
      'Resolves "Yes" if the Federal Open Market Committee lowers the upper bound of its target range at its scheduled meeting in March 2031. An unscheduled cut before that meeting does not count.',
    tag: 'Economy',
    endDate: '2031-03-19T18:00:00Z',
    feeRate: 0.05,
    markets: [
      {
        key: 'yes',
        question: 'Will the Federal Reserve cut rates at its March 2031 meeting?',
        volume: 1_842_310.42,
        book: [0.41, 0.43],
        lastTrade: 0.42,
      },
    ],
  }),
  buildSampleEvent({
    id: 'sample-crewed-moon-landing-2031',
    title: 'Crewed Moon landing in 2031?',
    rules:
      'Resolves "Yes" if a spacecraft with at least one living person aboard lands on the Moon between 1 January and 31 December 2031 (UTC), as confirmed by the agency or company that flies it.',
    tag: 'Science',
    endDate: '2031-12-31T23:59:00Z',
    markets: [
      {
        key: 'yes',
        question: 'Will people land on the Moon in 2031?',
        volume: 613_904.1,
        book: [0.27, 0.29],
        lastTrade: 0.28,
      },
    ],
  }),
  buildSampleEvent({
    id: 'sample-bitcoin-high-2031',
    title: 'New Bitcoin record in the first half of 2031?',
    rules:
      'Resolves "Yes" if the price of one bitcoin in US dollars exceeds its previous record at any time from 1 January to 30 June 2031 (UTC), by the one-minute candles of the two largest spot exchanges.',
    tag: 'Crypto',
    endDate: '2031-06-30T23:59:00Z',
    feeRate: 0.07,
    markets: [
      {
        key: 'yes',
        question: 'Will Bitcoin set a new record price before July 2031?',
        volume: 4_120_775.93,
        book: [0.63, 0.64],
        lastTrade: 0.64,
      },
    ],
  }),
  buildSampleEvent({
    id: 'sample-hottest-year-2031',
    title: 'Will 2031 be the hottest year on record?',
    rules:
      'Resolves "Yes" if the global mean surface temperature of 2031 is ranked first in the first annual summary published by the Copernicus Climate Change Service.',
    tag: 'Weather',
    endDate: '2032-01-20T12:00:00Z',
    feeRate: 0.05,
    markets: [
      {
        key: 'yes',
        question: 'Will 2031 be the hottest year on record?',
        volume: 228_450.77,
        book: [0.33, 0.36],
        lastTrade: 0.35,
      },
    ],
  }),
  buildSampleEvent({
    id: 'sample-great-quake-2031',
    title: 'Earthquake of magnitude 8.5 or more in 2031?',
    rules:
      'Resolves "Yes" if the US Geological Survey lists an earthquake of magnitude 8.5 or more with an origin time in 2031 (UTC). Revisions until 14 January 2032 count.',
    tag: 'Science',
    endDate: '2032-01-14T12:00:00Z',
    // A wide book: its midpoint is a poor price.
    markets: [
      {
        key: 'yes',
        question: 'Will an earthquake of magnitude 8.5 or more strike in 2031?',
        volume: 9_310.5,
        book: [0.06, 0.31],
        lastTrade: 0.12,
      },
    ],
  }),
  buildSampleEvent({
    id: 'sample-warm-superconductor-2032',
    title: 'Superconductor at room temperature before 2033?',
    rules:
      'Resolves "Yes" if superconductivity above 290 K at ambient pressure is reported in a peer-reviewed paper and reproduced by two independent laboratories before 1 January 2033.',
    tag: 'Science',
    endDate: '2032-12-31T23:59:00Z',
    // An empty book without trades: there is no price.
    markets: [
      {
        key: 'yes',
        question: 'Will a superconductor at room temperature be confirmed before 2033?',
        volume: 0,
        book: [null, null],
      },
    ],
  }),
  buildSampleEvent({
    id: 'sample-harbour-cup-final-2031',
    title: 'Harbour Cup Final: Northport Mariners vs. Calder City Foxes',
    rules:
      'Resolves to the winner of the Harbour Cup final of 2031, extra time and penalties included. If the final is not played before August 2031, both sides settle at 50 cents.',
    tag: 'Sports',
    endDate: '2031-05-25T17:00:00Z',
    feeRate: 0.03,
    markets: [
      {
        key: 'winner',
        question: 'Harbour Cup Final: Northport Mariners vs. Calder City Foxes',
        outcomes: ['Northport Mariners', 'Calder City Foxes'],
        volume: 956_120.08,
        book: [0.57, 0.58],
        lastTrade: 0.57,
      },
    ],
  }),
];
