import { describe, expect, test } from '@jest/globals';
import { firstWeights, shippedWeights } from '../../../council/estimate/first-weights.js';
import { parseWeights } from '../../../council/estimate/parse-weights.js';
import { canonicalWeights, type Weights } from '../../../council/estimate/weights.js';
import { weightsSha256 } from '../../../db/digests.js';

describe('an artefact of weights', () => {
  test('has one text, whatever the order of its fields', () => {
    const reversed: unknown = withReversedFields(firstWeights);
    expect(canonicalWeights(parseWeights(reversed))).toBe(canonicalWeights(firstWeights));
    expect(parseWeights(JSON.parse(canonicalWeights(firstWeights)))).toEqual(firstWeights);
  });

  test('changes its hash with every number in it', () => {
    const original = weightsSha256(firstWeights);
    const changed: Weights[] = [
      { ...firstWeights, id: 'another' },
      { ...firstWeights, lambda: 99 },
      { ...firstWeights, coefficients: { ...firstWeights.coefficients, council_by_dispersion: 0 } },
      { ...firstWeights, prior: { ...firstWeights.prior, market: 1 } },
      { ...firstWeights, trained_on: { ...firstWeights.trained_on, rows: 1 } },
      { ...firstWeights, walk_forward: null },
    ];
    expect(new Set([original, ...changed.map(weightsSha256)]).size).toBe(changed.length + 1);
  });

  test.each([
    [firstWeights, 'halawi-2024', 'c9676f3e65413b11aea4bdd893250421bab67eab77102a0cdc94ccc833075af7'],
    [shippedWeights, 'halawi-2024-2', 'c4d49d479289401b3492909cc1fa4572faa1d3471c8c07744a1e8f699ff2db35'],
  ])('of a release never changes, because reports name it by id and hash: %#', (weights, id, sha256) => {
    expect({ id: weights.id, sha256: weightsSha256(weights) }).toEqual({ id, sha256 });
  });

  test.each([
    ['a formula that does not exist', { kind: 'estimate/0' }],
    ['the name of a property for a formula', { kind: 'toString' }],
    ['an id with a space', { id: 'my weights' }],
    ['no shrinkage', { lambda: 0 }],
    [
      'a coefficient that is no number',
      { coefficients: { market: '1', council: 0, council_by_dispersion: 0 } },
    ],
    ['no hash of its rows', { trained_on: { ...firstWeights.trained_on, rows_sha256: '' } }],
  ])('with %s is rejected', (_, change) => {
    expect(() => parseWeights({ ...firstWeights, ...change })).toThrow();
  });
});

function withReversedFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, each]) => [key, withReversedFields(each)]));
}
