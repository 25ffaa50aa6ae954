import {
  type Ended,
  momentsOf,
  type Quote,
  type ResolvedSample,
  resolvedSample,
  slugOf,
} from './resolved-sample.js';

/**
 * Single yes/no questions: readings of statistics, launches, votes and weather. One vote was never held. Some books are
 * wide, and two are empty, so that the market implies nothing.
 */
export const questions: readonly ResolvedSample[] = [
  reading('2024-04-10', 'Estorian inflation above 2.8 % in March 2024', 'yes', 64),
  reading('2024-05-27', 'Corvanian unemployment below 5 % in April 2024', 'no', 20, 17),
  reading('2024-07-11', 'Estorian inflation above 2.5 % in June 2024', 'yes', 87),
  reading('2024-08-29', 'Corvanian exports above 40 billion in July 2024', 'yes', 67),
  reading('2024-10-13', 'Estorian inflation above 2.6 % in September 2024', 'no', 32),
  reading('2024-11-29', 'Dunmarch growth above 0.3 % in the third quarter of 2024', 'no', 84),
  reading('2025-01-14', 'Corvanian unemployment below 5 % in December 2024', 'yes', 69, 51),
  reading('2025-03-02', 'Estorian house prices up in January 2025', 'yes', 29),
  reading('2025-04-21', 'Estorian inflation above 2.4 % in March 2025', 'no', 47),
  reading('2025-06-07', 'Corvanian exports above 42 billion in April 2025', 'yes', 22),
  reading('2025-07-22', 'Dunmarch growth above 0.3 % in the second quarter of 2025', 'no', 43),
  reading('2025-09-07', 'Estorian inflation above 2.2 % in August 2025', 'yes', 56, 52),
  reading('2025-10-23', 'Corvanian unemployment below 5 % in September 2025', 'yes', 56),
  reading('2025-12-11', 'Estorian house prices up in October 2025', 'yes', 35),

  launch('2024-03-01', 'Skylark 3 reaches orbit', 'yes', 62),
  launch('2024-04-28', 'Tern 1 reaches orbit', 'no', 48, 54),
  launch('2024-06-27', 'Skylark 4 reaches orbit', 'yes', 58),
  launch('2024-08-22', 'Petrel lands its first stage', 'yes', 61),
  launch('2024-10-22', 'Skylark 5 reaches orbit', 'yes', 84),
  launch('2024-12-19', 'Lantern 2 enters lunar orbit', 'yes', 85),
  launch('2025-02-15', 'Tern 2 reaches orbit', 'yes', 82, 73),
  launch('2025-04-16', 'Lantern 2 returns samples', 'no', 24),
  launch('2025-06-11', 'Skylark 6 reaches orbit', 'yes', 84),
  launch('2025-08-08', 'Petrel lands its first stage twice', 'yes', 75),
  launch('2025-10-08', 'Tern 3 carries its first payload', 'yes', [40, 68]),
  launch('2025-12-05', 'Kittiwake flies for the first time', 'no', 38, 33),

  vote('2024-02-21', 'the Calder City tram plan', 'yes', 16),
  vote('2024-04-15', 'the Greyminster stadium loan', 'no', 44, 26),
  vote('2024-06-11', 'the Estorian data act', 'no', 18),
  vote('2024-08-02', 'the Corvanian fishing treaty', 'no', 3),
  vote('2024-09-27', 'the Port Selwyn harbour toll', 'yes', 41),
  vote('2024-11-22', 'the Wexley library cuts', 'no', 33),
  vote('2025-01-17', 'the Estorian rail budget', 'yes', 62, 47),
  vote('2025-03-10', 'the Calder City clean air zone', 'yes', 85),
  vote('2025-05-04', 'the Hartfell bypass', 'void', 47),
  vote('2025-07-01', 'the Corvanian pension reform', 'no', 65),
  vote('2025-08-23', 'the Northport night ferry', 'yes', 71),
  vote('2025-10-17', 'the Estorian broadcasting fee', 'yes', 58, 46),
  vote('2025-12-11', 'the Calder City budget', 'yes', 80),

  weather('2024-06-01', 'The river Tarn above three metres at Upper Tarn in May 2024', 'yes', 85),
  weather('2024-08-03', 'A day above 35 degrees in Calder City in July 2024', 'no', 20, 32),
  weather('2024-10-04', 'A named storm on the Selwyn coast in September 2024', 'yes', 83),
  weather('2024-12-06', 'First snow in Hartfell in November 2024', 'yes', 74),
  weather('2025-02-06', 'Lake Fallow frozen over in January 2025', 'yes', 29),
  weather('2025-04-10', 'More than 80 mm of rain in Wexley in March 2025', 'yes', 48),
  weather('2025-06-10', 'The river Tarn above three metres at Upper Tarn in May 2025', 'yes', 50, 55),
  weather('2025-08-13', 'A day above 35 degrees in Calder City in July 2025', 'no', 14),
  weather('2025-10-15', 'A named storm on the Selwyn coast in September 2025', 'yes', null),
  weather('2025-12-13', 'First snow in Hartfell in November 2025', 'no', null),
];

function reading(day: string, title: string, ended: Ended, ...quotes: readonly Quote[]): ResolvedSample {
  const rules = `Resolves "Yes" if the first figure published by the statistical office by ${day} says so. Later revisions do not count.`;
  return question({
    name: title,
    tag: 'Economy',
    feeRate: 0.05,
    day,
    title: `${title}?`,
    rules,
    ended,
    quotes,
  });
}

function launch(day: string, title: string, ended: Ended, ...quotes: readonly Quote[]): ResolvedSample {
  const rules = `Resolves "Yes" if the operator of the mission confirms it by ${day} (UTC). A launch that is called off before lift-off may be repeated until then.`;
  return question({ name: title, tag: 'Science', day, title: `${title} by ${day}?`, rules, ended, quotes });
}

function vote(day: string, subject: string, ended: Ended, ...quotes: readonly Quote[]): ResolvedSample {
  const rules = `Resolves "Yes" if ${subject} is adopted in the vote scheduled for ${day}. If no vote is held within a month of it, the market is void.`;
  const title = `Will ${subject} be adopted on ${day}?`;
  return question({ name: subject, tag: 'Politics', feeRate: 0.04, day, title, rules, ended, quotes });
}

function weather(day: string, title: string, ended: Ended, ...quotes: readonly Quote[]): ResolvedSample {
  const rules =
    'Resolves "Yes" if the national weather service lists it in its summary of the month, which is final.';
  return question({
    name: title,
    tag: 'Weather',
    feeRate: 0.05,
    day,
    title: `${title}?`,
    rules,
    ended,
    quotes,
  });
}

interface Question {
  /** For the id. */
  readonly name: string;
  readonly tag: string;
  readonly feeRate?: number;
  readonly day: string;
  readonly title: string;
  readonly rules: string;
  readonly ended: Ended;
  readonly quotes: readonly Quote[];
}

function question({ name, day, title, ended, quotes, ...more }: Question): ResolvedSample {
  return resolvedSample({
    ...more,
    id: `sample-${slugOf(name)}-${day}`,
    title,
    endDate: `${day}T18:00:00Z`,
    daysBefore: momentsOf(quotes),
    markets: [{ key: 'yes', question: title, quotes, ended }],
  });
}
