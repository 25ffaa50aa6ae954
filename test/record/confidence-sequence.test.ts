import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seededRandom } from '../../council/random.js';
import {
  brierWidth,
  confidenceSequence,
  evidenceOf,
  type SequenceEvidence,
} from '../../record/figures/confidence-sequence.js';
import { scoreOf } from '../../record/grades/grade-scores.js';

const settings = { error: 0.05, tunedTo: 0.5 };
const records = 500;
const looks = 1_000;
/** The record draws no conclusion from fewer. */
const eventsMin = 30;

/** The largest errors of the two forecasts, in points, and an error that they share. */
interface Errors {
  readonly council: number;
  readonly market: number;
  readonly shared?: number;
}

interface Look extends SequenceEvidence {
  /** Of the differences so far. */
  readonly standardDeviation: number;
}

/** A record of yes/no questions with a known probability, looked at after every event from the 30th on. */
function* looksAt(seed: string, { council, market, shared = 0 }: Errors): Generator<Look> {
  const random = seededRandom(seed);
  const off = (by: number) => (random() + random() - 1) * by;
  const near = (percent: number, by: number) => Math.min(98, Math.max(2, percent + off(by)));
  let [mean, squares, possible] = [0, 0, 0];
  for (let events = 1; events < eventsMin + looks; events += 1) {
    const truth = 2 + 96 * random();
    const asked = truth + off(shared);
    const [p, q] = [near(asked, council), near(asked, market)];
    const y = random() * 100 < truth ? 1 : 0;
    const value = 2 * (p / 100 - y) ** 2 - 2 * (q / 100 - y) ** 2;
    const before = mean;
    mean += (value - before) / events;
    squares += (value - before) * (value - mean);
    possible += brierWidth([p], [q], false) ** 2 / 4;
    if (events < eventsMin) continue;
    const standardDeviation = Math.sqrt(squares / (events - 1));
    yield { events, mean, variance: Math.max(possible, squares), standardDeviation };
  }
}

type Rule = (look: Look) => readonly [low: number, high: number] | null;

const sequence: Rule = look => confidenceSequence(look, settings);

/** What the bootstrap's 95 % interval of a mean comes to. */
const fixedInterval: Rule = ({ events, mean, standardDeviation }) => {
  const reach = (1.96 * standardDeviation) / Math.sqrt(events);
  return [mean - reach, mean + reach];
};

/** The share of simulated records in which one of the looks finds a difference. */
function declared(rule: Rule, errors: Errors): number {
  let found = 0;
  for (let each = 0; each < records; each += 1) {
    for (const look of looksAt(`record ${each}`, errors)) {
      const [low, high] = rule(look) ?? [0, 0];
      if (low <= 0 && high >= 0) continue;
      found += 1;
      break;
    }
  }
  return found / records;
}

describe('a record that is looked at 1,000 times', () => {
  const alike = { council: 20, market: 20 };

  test('without any difference declares one in at most 5 % of 500 records', () => {
    expect(declared(sequence, alike)).toBeLessThanOrEqual(0.05);
  });

  test('and neither where both forecasts are worse than a coin', () => {
    expect(declared(sequence, { council: 10, market: 10, shared: 150 })).toBeLessThanOrEqual(0.05);
  });

  test('would declare one in more than 40 % of them by a fixed 95 % interval', () => {
    expect(declared(fixedInterval, alike)).toBeGreaterThan(0.4);
  });

  test('with a council that is off by up to 20 points and a market by up to 50, declares the difference in 90 %', () => {
    expect(declared(sequence, { council: 20, market: 50 })).toBeGreaterThan(0.9);
  });
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const percents = fc.array(fc.tuple(share, share), { minLength: 2, maxLength: 6 });

describe('the width of a difference', () => {
  const distribution = (weights: readonly number[]) => {
    const total = weights.reduce((sum, weight) => sum + weight + 1e-3, 0);
    return weights.map(weight => (weight + 1e-3) / total);
  };
  /** The differences that each possible outcome would make. */
  const possible = (p: readonly number[], q: readonly number[]) =>
    p.map((_, winner) => {
      const happened = p.map((__, index) => (index === winner ? 1 : 0));
      return scoreOf(p, happened, true).brier - scoreOf(q, happened, true).brier;
    });
  const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);

  test('is exactly what the outcome of an exclusive event can change', () => {
    fc.assert(
      fc.property(percents, pairs => {
        const [p, q] = [distribution(pairs.map(([one]) => one)), distribution(pairs.map(([, one]) => one))];
        const inPercent = (row: readonly number[]) => row.map(each => each * 100);
        expect(brierWidth(inPercent(p), inPercent(q), true)).toBeCloseTo(spread(possible(p, q)), 9);
      }),
    );
  });

  test('of independent markets is the mean of what the outcome of each can change', () => {
    fc.assert(
      fc.property(percents, pairs => {
        const each = pairs.map(([p, q]) => spread(possible([p, 1 - p], [q, 1 - q])));
        const [p, q] = [pairs.map(([one]) => one * 100), pairs.map(([, one]) => one * 100)];
        const mean = each.reduce((sum, width) => sum + width, 0) / each.length;
        expect(brierWidth(p, q, false)).toBeCloseTo(mean, 9);
      }),
    );
  });
});

describe('a confidence sequence', () => {
  const evidence = { events: 200, mean: -0.02, variance: 8 };
  const widthOf = (of: SequenceEvidence, error = 0.05) => {
    const [low, high] = confidenceSequence(of, { ...settings, error }) ?? [0, 0];
    return high - low;
  };

  test('is the normal mixture of Robbins', () => {
    // 2/200 · √(8.5 · ln(8.5 / (0.5 · 0.0025)))
    expect(widthOf(evidence)).toBeCloseTo(0.0866, 4);
  });

  test('is wider where less may be wrong, and where more was possible', () => {
    expect(widthOf(evidence, 0.05 / 7)).toBeGreaterThan(widthOf(evidence));
    expect(widthOf({ ...evidence, variance: 9 })).toBeGreaterThan(widthOf(evidence));
  });

  test('does not depend on the order of the events', () => {
    const next = seededRandom('order');
    const draw = () => Float64Array.from({ length: 100 }, () => next() - 0.5);
    const [values, widths] = [draw(), draw()];
    const turned = evidenceOf({ values: values.toReversed(), widths: widths.toReversed() });
    const { events, mean, variance } = evidenceOf({ values, widths });
    expect(turned.events).toBe(events);
    expect(turned.mean).toBeCloseTo(mean, 12);
    expect(turned.variance).toBeCloseTo(variance, 12);
  });

  test('has no interval without events', () => {
    const nothing = evidenceOf({ values: new Float64Array(), widths: new Float64Array() });
    expect(confidenceSequence(nothing, settings)).toBeNull();
  });
});
