import { expect, test } from '@jest/globals';
import {
  type AnswerSchema,
  crossReviewSchema,
  marketGapSchema,
  opinionSchema,
  synthesisSchema,
} from '../../../council/answers/answer-schemas.js';

test.each<[string, AnswerSchema, string[]]>([
  [
    'opinion',
    opinionSchema(true),
    [
      'base_rates',
      'confidence',
      'distribution',
      'evidence',
      'outside_view',
      'range',
      'rationale',
      'resolution_risk',
      'rule',
      'would_change',
    ],
  ],
  [
    'cross review',
    crossReviewSchema(['A', 'B'], false),
    ['critiques', 'ranking', 'revised_confidence', 'revised_distribution'],
  ],
  [
    'synthesis',
    synthesisSchema(),
    ['agreements', 'disagreements', 'key_uncertainties', 'summary', 'triggers'],
  ],
  ['explanation of the gap', marketGapSchema(), ['council_may_know', 'market_may_know']],
])(
  'the schema of an %s is plain data, and requires its published fields and no others at every level',
  (_, schema, fields) => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(Object.keys(Object(schema['properties'])).sort()).toEqual(fields);
    for (const each of recordsIn(schema)) {
      expect(each['additionalProperties']).toBe(false);
      expect(each['required']).toEqual(Object.keys(Object(each['properties'])));
    }
  },
);

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

test.each([
  ['a synthesis', synthesisSchema()],
  ['an explanation of the gap', marketGapSchema()],
])('%s has no field for a number', (_, schema) => {
  expect(JSON.stringify(schema)).not.toMatch(/number|integer/);
});

function recordsIn(value: unknown): AnswerSchema[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(recordsIn);
  return 'type' in value && value.type === 'object' ? [{ ...value }, ...inside] : inside;
}
