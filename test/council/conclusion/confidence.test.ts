import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type ConfidenceInput, confidence } from '../../../council/conclusion/agreement.js';
import { councilModels } from '../../../council/models.js';

function input(
  yes: readonly number[],
  own: readonly number[],
  overrides: Partial<ConfidenceInput> = {},
): ConfidenceInput {
  const forecasts = councilModels
    .slice(0, yes.length)
    .map((model, i) => ({ model, fractions: [yes[i] ?? 0, 1 - (yes[i] ?? 0)], confidence: own[i] ?? 0 }));
  return { forecasts, focus: [0], lostModels: 0, conflict: false, ...overrides };
}

test('four identical and fully confident members score 85', () => {
  expect(confidence(input([0.9, 0.9, 0.9, 0.9], [100, 100, 100, 100]))).toBe(85);
});

test('members 50 points apart have no agreement', () => {
  expect(confidence(input([0.2, 0.7, 0.5, 0.5], [60, 60, 60, 60]))).toBe(25.5);
});

test('agreement and the median of the members’ own confidence count half each', () => {
  expect(confidence(input([0.5, 0.6, 0.6, 0.5], [40, 60, 80, 100]))).toBe(63.8);
});

test('a single member cannot raise the confidence', () => {
  const yes = [0.5, 0.5, 0.5];
  expect(confidence(input(yes, [50, 50, 100]))).toBe(confidence(input(yes, [50, 50, 51])));
});

test('each lost model costs a tenth, a conflict costs half', () => {
  const sure = [80, 80, 80, 80];
  expect(confidence(input([0.6, 0.6], sure, { lostModels: 2 }))).toBe(62);
  expect(confidence(input([0.6, 0.6], sure, { conflict: true }))).toBe(38.3);
});

test('the outcome with the widest gap decides', () => {
  const apart = input([0.5, 0.5], [60, 60]);
  const forecasts = apart.forecasts.map((f, i) => ({ ...f, fractions: [0.5, i / 10] }));
  expect(confidence({ ...apart, forecasts, focus: [0, 1] })).toBe(59.5);
});

describe('for any council', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  const own = fc.double({ min: 0, max: 100, noNaN: true });

  test('confidence is between 0 and 85', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(p, own), { minLength: 2, maxLength: 4 }), members => {
        const score = confidence(
          input(
            members.map(([yes]) => yes),
            members.map(([, sure]) => sure),
          ),
        );
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(85);
      }),
    );
  });
});
