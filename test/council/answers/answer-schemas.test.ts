import { describe, expect, test } from '@jest/globals';
import {
  type AnswerSchema,
  crossReviewSchema,
  opinionSchema,
  synthesisSchema,
} from '../../../council/answers/answer-schemas.js';

const all: [string, AnswerSchema][] = [
  ['opinion', opinionSchema(true)],
  ['cross review', crossReviewSchema(['A', 'B'], false)],
  ['synthesis', synthesisSchema()],
];

describe.each(all)('the schema of an %s', (_, schema) => {
  test('requires all its fields and allows no others, at every level', () => {
    const records = recordsIn(schema);
    expect(records.length).toBeGreaterThan(0);
    for (const each of records) {
      expect(each['additionalProperties']).toBe(false);
      expect(each['required']).toEqual(Object.keys(Object(each['properties'])));
    }
  });

  test('is plain data', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });
});

test('letters are a closed list, and outcomes are not: a vendor refuses a long list of values', () => {
  const text = JSON.stringify(crossReviewSchema(['A', 'B'], true));
  expect(text.match(/"enum":\[.*?\]/g)).toEqual(['"enum":["A","B"]', '"enum":["A","B"]']);
});

test('the distribution says whether its entries add up or are independent', () => {
  expect(JSON.stringify(opinionSchema(true))).toContain('must add up to 100');
  expect(JSON.stringify(opinionSchema(true))).not.toContain('independent');
  expect(JSON.stringify(opinionSchema(false))).toContain('independent');
  expect(JSON.stringify(crossReviewSchema(['A'], false))).toContain('independent');
});

test('a synthesis has no field for a number', () => {
  expect(JSON.stringify(synthesisSchema())).not.toContain('number');
});

test('the fields have their published names and order', () => {
  const fields = all.map(([, schema]) => Object.keys(Object(schema['properties'])).sort());
  expect(fields).toEqual([
    ['confidence', 'distribution', 'evidence', 'rationale'],
    ['critiques', 'ranking', 'revised_confidence', 'revised_distribution'],
    ['agreements', 'disagreements', 'key_uncertainties', 'summary'],
  ]);
});

function recordsIn(value: unknown): AnswerSchema[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(recordsIn);
  return 'type' in value && value.type === 'object' ? [{ ...value }, ...inside] : inside;
}
