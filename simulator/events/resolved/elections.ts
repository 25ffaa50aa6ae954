import {
  momentsOf,
  type ResolvedMarket,
  type ResolvedSample,
  resolvedSample,
  slugOf,
} from './resolved-sample.js';

/** Elections: exactly one candidate wins. In the last one, the winner entered the race after the report was made. */
export const elections: readonly ResolvedSample[] = [
  election('2024-03-10', 'Wexley', 'Imogen Frost', {
    'Imogen Frost': [76, 76],
    'Piers Holloway': [9, 8],
    'Nadia Strand': [8, 7],
    'Tomas Eld': [7, 9],
  }),
  election('2024-05-20', 'Port Selwyn', 'Sadiya Marsh', {
    'Rurik Alder': [52],
    'Sadiya Marsh': [18],
    'Bettina Cole': [21],
    'Joss Whitfield': [9],
  }),
  election('2024-07-27', 'Hartfell', 'Edda Quill', {
    'Corin Bracken': [62],
    'Edda Quill': [11],
    'Milo Stannard': [11],
    'Petra Voss': [11],
    'Hugh Lindley': [5],
  }),
  election('2024-10-03', 'Greyminster', 'Anselm Roe', {
    'Orla Tennant': [37],
    'Anselm Roe': [28],
    'Judith Farrow': [23],
    'Kaspar Wynn': [7],
    'Lena Ashdown': [5],
  }),
  election('2024-12-10', 'Northport', 'Greta Holm', {
    'Silas Merton': [81, 78],
    'Greta Holm': [7, 8],
    'Dov Larkin': [7, 8],
    'Ines Calloway': [5, 6],
  }),
  election('2025-02-16', 'Upper Tarn', 'Bram Oakes', {
    'Wilma Sorrel': [67],
    'Leon Pryce': [22],
    'Bram Oakes': [11],
  }),
  election('2025-04-28', 'Dunmarch', 'Ulric Penn', {
    'Maud Ellery': [46],
    'Ulric Penn': [14],
    'Tessa Crane': [20],
    'Olaf Reddy': [18],
    'Vera Locke': [2],
  }),
  election('2025-07-04', 'Saltmarsh', 'Nils Garrow', {
    'Carla Weir': [56],
    'Amos Finch': [22],
    'Nils Garrow': [13],
    'Rhea Dunlop': [9],
  }),
  election('2025-09-11', 'Oakhaven', 'Dora Pike', {
    'Basil Thorne': [38, 55],
    'Ida Morrow': [31, 18],
    'Dora Pike': [20, 16],
    'Felix Amery': [11, 11],
  }),
  election('2025-11-19', 'Stonebridge', 'Mira Stokes', {
    'Rosa Kemp': [53],
    'Gideon Shaw': [25],
    'Hanne Lund': [15],
    'Mira Stokes': [],
  }),
];

/** @param candidates with their quotes at each moment; one without a quote was a reserved slot then */
function election(
  day: string,
  town: string,
  winner: string,
  candidates: Readonly<Record<string, readonly number[]>>,
): ResolvedSample {
  const markets = Object.entries(candidates).map(
    ([name, quotes]): ResolvedMarket => ({
      key: slugOf(name),
      title: name,
      question: `Will ${name} be elected mayor of ${town}?`,
      quotes,
      ended: name === winner ? 'yes' : 'no',
      ...(quotes.length === 0 ? { reservedAs: 'Person A' } : {}),
    }),
  );
  return resolvedSample({
    id: `sample-mayor-${slugOf(town)}-${day}`,
    title: `Who will be elected mayor of ${town} on ${day}?`,
    rules: `Resolves to the person declared elected by the returning officer after the mayoral election of ${day}. Candidates who enter the race later are added by name.`,
    tag: 'Politics',
    endDate: `${day}T22:00:00Z`,
    exclusive: true,
    openEnded: markets.some(({ reservedAs }) => reservedAs !== undefined),
    feeRate: 0.04,
    daysBefore: momentsOf(Object.values(candidates)[0] ?? []),
    markets,
  });
}
