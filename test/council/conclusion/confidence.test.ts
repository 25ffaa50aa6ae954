import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type ConfidenceInput, confidence } from '../../../council/conclusion/confidence.js';

function input(
  yes: readonly number[],
  own: readonly number[],
  overrides: Partial<ConfidenceInput> = {},
): ConfidenceInput {
  const forecasts = yes.map((p, i) => ({ first: [p, 1 - p], firstConfidence: own[i] ?? 0 }));
  return { exclusive: true, forecasts, degraded: false, conflict: false, evidence: null, ...overrides };
}

const sixties = [60, 60, 60, 60];

test('four identical and fully confident members score 85', () => {
  expect(confidence(input([0.9, 0.9, 0.9, 0.9], [100, 100, 100, 100]))).toBe(85);
});

test('a member 50 points from the others takes the agreement of three of the six pairs', () => {
  expect(confidence(input([0.7, 0.7, 0.7, 0.7], sixties))).toBe(68);
  expect(confidence(input([0.7, 0.7, 0.7, 0.2], sixties))).toBe(46.8);
});

test('a lost opinion counts like one that agrees with nobody and is sure of nothing, and costs half besides', () => {
  const three = input([0.7, 0.7, 0.7], sixties);
  expect(confidence(three)).toBe(confidence(input([0.7, 0.7, 0.7, 0.2], [60, 60, 60, 0])));
  expect(confidence({ ...three, degraded: true })).toBe(23.4);
});

test('agreement and the median of the members’ own confidence count half each', () => {
  expect(confidence(input([0.5, 0.6, 0.6, 0.5], [40, 60, 80, 100]))).toBe(66.6);
});

test('a single member cannot raise the confidence', () => {
  const yes = [0.5, 0.5, 0.5, 0.5];
  expect(confidence(input(yes, [50, 50, 50, 100]))).toBe(confidence(input(yes, [50, 50, 50, 51])));
});

test.each<[string, Partial<ConfidenceInput>, number]>([
  ['nothing', {}, 68],
  ['half for a conflict', { conflict: true }, 34],
  ['half for a loss', { degraded: true }, 34],
  ['half for both together', { conflict: true, degraded: true }, 34],
  ['nothing for a search that partly failed', { evidence: 'partial' }, 68],
  ['nothing for a search', { evidence: 'searched' }, 68],
  ['a fifth for a search that found nothing', { evidence: 'none' }, 54.4],
  ['that fifth besides a loss', { evidence: 'none', degraded: true }, 27.2],
])('the confidence of a unanimous council loses %s', (_, costs, left) => {
  expect(confidence(input([0.6, 0.6, 0.6, 0.6], sixties, costs))).toBe(left);
});

test('on independent markets the widest gap decides', () => {
  const apart = input([0.5, 0.5, 0.5, 0.5], sixties, { exclusive: false });
  const forecasts = apart.forecasts.map((f, i) => ({ ...f, first: [0.5, i < 3 ? 0.5 : 0.6, 0.2] }));
  expect(confidence({ ...apart, forecasts })).toBe(63.8);
});

test('for any council, confidence is between 0 and 85', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  const own = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(p, own), { minLength: 2, maxLength: 4 }),
      fc.boolean(),
      (members, degraded) => {
        const [yes, sure] = [members.map(([each]) => each), members.map(([, each]) => each)];
        const score = confidence(input(yes, sure, { degraded }));
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(85);
      },
    ),
  );
});
