import type { SampleMarket } from './build-sample-event.js';
import { buildSampleEvent } from './build-sample-event.js';

const hosts =
  'Accra Ankara Athens Auckland Bangkok Bogota Brisbane Brussels Bucharest Cairo Casablanca Chennai Chicago Copenhagen Dakar Doha Dublin Edinburgh Gdansk Geneva Hanoi Helsinki Jakarta Johannesburg Kigali Lagos Lima Lisbon Manila Melbourne Montevideo Montreal Nairobi Osaka Oslo Porto Quito Rabat Riga Santiago Seoul Seville Tallinn Tunis Vienna'.split(
    ' ',
  );

/** An open exclusive event with 45 outcomes: more than the council assesses individually. */
export const largeEvent: unknown = buildSampleEvent({
  id: 'sample-expo-host-2031',
  title: 'Which city will host the World Craft Expo of 2040?',
  rules:
    'Resolves to the city chosen by the assembly of the World Craft Expo, which votes in October 2031. If that vote chooses none, the next one that does counts.',
  tag: 'World',
  endDate: '2031-10-15T16:00:00Z',
  exclusive: true,
  feeRate: 0.05,
  markets: hosts.map(market),
});

/**
 * Probabilities decrease slowly and add up to about 1. Volumes have a different order, as in real markets.
 */
function market(city: string, index: number): SampleMarket {
  const strength = (index * 19) % hosts.length;
  const chance = 0.34 / (strength + 3);
  const volume = 4_000 + ((index * 31) % hosts.length) * 2_750.5;
  const bid = Math.round(chance * 1000 - 1) / 1000;
  const ask = Math.round((bid + 0.002) * 1000) / 1000;
  return {
    key: city.toLowerCase(),
    title: city,
    question: `Will ${city} host the World Craft Expo of 2040?`,
    volume,
    book: [bid, ask],
    lastTrade: bid,
  };
}
