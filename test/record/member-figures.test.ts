import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../council/random.js';
import { forecast, outcome, resolved, twoSided } from './grade-fixtures.js';
import { graded, of } from './graded-rows.js';

type Members = Parameters<typeof twoSided>[2];

const rain = (members: Members, Rain: 'yes' | 'no', event_id = 'e1') =>
  graded(twoSided(50, 50, members, { event_id }), resolved({ Rain }));

describe('the correlation of errors', () => {
  const pairsOf = (rows: Parameters<typeof of>[0]) => of(rows).members.error_correlation;

  test('is there for every two members in a fixed order, and null where they never met', () => {
    const { pairs, mean, effective_members } = pairsOf([]);
    expect(pairs.map(({ members }) => members.join(' '))).toEqual([
      'claude gpt',
      'claude gemini',
      'claude grok',
      'gpt gemini',
      'gpt grok',
      'gemini grok',
    ]);
    expect(pairs[0]).toEqual({ members: ['claude', 'gpt'], n: 0, events: 0, correlation: null });
    expect([mean, effective_members]).toEqual([null, null]);
    const some = pairsOf([rain({ claude: 80, grok: 60 }, 'yes')]);
    expect(some.pairs.filter(({ correlation }) => correlation !== null)).toHaveLength(1);
  });

  test('of four that say the same is 1, and they are worth one', () => {
    const alike = (percent: number) => ({ claude: percent, gpt: percent, gemini: percent, grok: percent });
    const { mean, effective_members } = pairsOf([rain(alike(80), 'yes'), rain(alike(30), 'yes', 'e2')]);
    expect(mean).toBeCloseTo(1, 12);
    expect(effective_members).toBeCloseTo(1, 12);
  });

  test('is below 0 where one errs in the other direction', () => {
    const { pairs } = pairsOf([
      rain({ claude: 60, gpt: 20 }, 'yes'),
      rain({ claude: 100, gpt: 60 }, 'no', 'e2'),
    ]);
    // Errors of YES: −0.4 and −0.8, then 1 and 0.6; those of NO are the opposite.
    const shared = 0.4 * 0.8 + 0.6;
    expect(pairs[0]?.correlation).toBeCloseTo(shared / Math.sqrt((0.16 + 1) * (0.64 + 0.36)), 12);
  });

  test('never leaves the range of −1 to 1, whatever is rounded', () => {
    for (let percent = 1; percent < 100; percent += 1) {
      const { pairs } = pairsOf([rain({ claude: percent, gpt: (percent * 37) % 100 }, 'yes')]);
      expect(Math.abs(pairs[0]?.correlation ?? 0)).toBeLessThanOrEqual(1);
    }
  });

  test('gives each event one vote, however many reports it has', () => {
    const rows = [rain({ claude: 60, gpt: 20 }, 'yes'), rain({ claude: 90, gpt: 95 }, 'no', 'e2')];
    const repeated = [
      ...rows,
      ...Array.from({ length: 50 }, () => rain({ claude: 90, gpt: 95 }, 'no', 'e2')),
    ];
    const [once, often] = [pairsOf(rows).pairs[0], pairsOf(repeated).pairs[0]];
    expect(often).toMatchObject({ n: 52, events: 2 });
    expect(often?.correlation).toBeCloseTo(once?.correlation ?? 0, 12);
  });

  test('weighs independent markets as their Brier score does, and leaves out those without a result', () => {
    const outcomes = [
      outcome('A', 50, 50, { claude: 80, gpt: 60 }),
      outcome('B', 50, 50, { claude: 10, gpt: 40 }),
      outcome('C', 50, 50, { claude: 99, gpt: 1 }),
    ];
    const row = graded(
      forecast(outcomes, { exclusive: false }),
      resolved({ A: 'yes', B: 'no', C: 'disputed' }),
    );
    const shared = 0.2 * 0.4 + 0.1 * 0.4;
    const expected = shared / Math.sqrt((0.04 + 0.01) * (0.16 + 0.16));
    expect(pairsOf([row]).pairs[0]?.correlation).toBeCloseTo(expected, 12);
  });
});

describe('a council without one of its members', () => {
  const leftOut = (rows: Parameters<typeof of>[0]) => of(rows).members.left_out;

  test('is the pool of the others, on reports with at least two members', () => {
    const { claude, gpt, gemini } = leftOut([
      rain({ claude: 90, gpt: 50 }, 'yes'),
      rain({ claude: 90 }, 'yes', 'e2'),
    ]);
    // The logits are ln 9 and 0, so the pool is 3 in 4.
    expect(claude).toMatchObject({ n: 1, events: 1, interval_95: null });
    expect(claude.council_brier).toBeCloseTo(2 * 0.25 ** 2, 12);
    expect(claude.without_brier).toBeCloseTo(2 * 0.5 ** 2, 12);
    expect(claude.mean).toBeCloseTo(0.375, 12);
    expect(gpt.mean).toBeCloseTo(2 * 0.1 ** 2 - 0.125, 12);
    expect(gemini).toMatchObject({ n: 0, mean: null, confidence_sequence_95: null });
  });

  test('is worse without a member that knows more, and does not miss one that repeats another', () => {
    const random = seededRandom('left out');
    const rows = Array.from({ length: 400 }, (_, index) => {
      const truth = 5 + 90 * random();
      const near = (by: number) => Math.min(97, Math.max(3, truth + (random() - 0.5) * by));
      const [knows, guesses] = [near(4), near(90)];
      const members = { claude: knows, gpt: guesses, gemini: guesses, grok: guesses };
      return rain(members, 100 * random() < truth ? 'yes' : 'no', `e${index}`);
    });
    const { claude, gpt, grok } = leftOut(rows);
    expect(claude.confidence_sequence_95?.[0]).toBeGreaterThan(0);
    expect(gpt.mean).toBeLessThan(0);
    expect(gpt).toEqual(grok);
    const { error_correlation } = of(rows).members;
    expect(error_correlation.effective_members).toBeGreaterThan(1);
    expect(error_correlation.effective_members).toBeLessThan(2);
  });
});
