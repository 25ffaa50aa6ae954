import { momentsOf, type ResolvedSample, resolvedSample, slugOf } from './resolved-sample.js';

const families = 'Abbot Birch Carver Dale Eames Flint Grove Hale Innes Joyce Kerr'.split(' ');
const givens = ['Ada', 'Ben', 'Cleo', 'Dirk'];

/** Contests with many entrants, of which exactly one wins. The marathon has more than a council forecasts by name. */
export const contests: readonly ResolvedSample[] = [
  heat('2024-04-18', 'Brightwater', {
    Brightwater: 38,
    Alderney: 21,
    Dunmarch: 13,
    Corvania: 10,
    Estoria: 13,
    Fallowfield: 5,
  }),
  heat('2024-07-21', 'Gravenland', {
    Estoria: 42,
    Gravenland: 21,
    'Hollin Isle': 17,
    Alderney: 14,
    Dunmarch: 3,
    Corvania: 3,
  }),
  heat('2024-10-20', 'Alderney', {
    Corvania: 50,
    Alderney: 13,
    Brightwater: 13,
    Fallowfield: 9,
    Gravenland: 8,
    Estoria: 7,
  }),
  heat('2025-01-21', 'Dunmarch', {
    Alderney: 25,
    Estoria: 19,
    Corvania: 18,
    'Hollin Isle': 15,
    Dunmarch: 10,
    Fallowfield: 13,
  }),
  heat('2025-04-24', 'Corvania', {
    Fallowfield: 28,
    Dunmarch: 22,
    Brightwater: 17,
    Estoria: 15,
    Corvania: 15,
    Alderney: 3,
  }),
  heat('2025-07-27', 'Hollin Isle', {
    'Hollin Isle': 47,
    Gravenland: 21,
    Alderney: 17,
    Corvania: 7,
    Estoria: 5,
    Dunmarch: 3,
  }),
  heat('2025-10-26', 'Estoria', {
    Estoria: 63,
    Corvania: 14,
    Brightwater: 7,
    Gravenland: 5,
    Alderney: 7,
    Fallowfield: 4,
  }),
  marathon('2025-06-15', 'Ivo Tallis'),
];

/** @param entrants with the quote of each */
function heat(day: string, winner: string, entrants: Readonly<Record<string, number>>): ResolvedSample {
  return resolvedSample({
    id: `sample-song-heat-${day}`,
    title: `Winner of the Nine Rivers heat of ${day}`,
    rules: `Resolves to the entry with the most points in the heat of ${day}. A shared first place counts for the entry that the published rules of the contest put first.`,
    tag: 'Culture',
    endDate: `${day}T21:00:00Z`,
    exclusive: true,
    feeRate: 0.05,
    daysBefore: momentsOf([day], [10]),
    markets: Object.entries(entrants).map(([name, quote]) => ({
      key: slugOf(name),
      title: name,
      question: `Will ${name} win the heat of ${day}?`,
      quotes: [quote],
      ended: name === winner ? 'yes' : 'no',
    })),
  });
}

/** Two of the forty-six runners are too little traded to be forecast by name, and one of the two wins. */
function marathon(day: string, winner: string): ResolvedSample {
  const named = families.flatMap(family => givens.map(given => `${given} ${family}`));
  const runners = [...named, winner, 'Uma Hollis'];
  return resolvedSample({
    id: `sample-marathon-${day}`,
    title: `Winner of the Long Sands Marathon of ${day}`,
    rules: `Resolves to the first runner across the line in the Long Sands Marathon of ${day}, after all protests are heard.`,
    tag: 'Sports',
    endDate: `${day}T14:00:00Z`,
    exclusive: true,
    feeRate: 0.03,
    daysBefore: [7],
    markets: runners.map((name, index) => ({
      key: slugOf(name),
      title: name,
      question: `Will ${name} win the Long Sands Marathon?`,
      volume: index < named.length ? 9_000 - 150 * index : 40,
      quotes: [index === 0 ? 31 : [1, 2]],
      ended: name === winner ? 'yes' : 'no',
    })),
  });
}
