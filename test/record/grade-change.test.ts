import { expect, test } from '@jest/globals';
import { reasonOfChange } from '../../record/grades/grade-change.js';
import type { MarketOutcomes } from '../../record/recorded-forecast.js';

const by = (outcomes: MarketOutcomes, grader = 'grader/2') => ({ grader, outcomes });

test.each([
  ['first_grade', null, by({ a: 'yes' })],
  ['new_grader', { state: 'graded', ...by({ a: 'yes' }, 'grader/1') }, by({ a: 'yes' })],
  ['result_changed', { state: 'graded', ...by({ a: 'yes' }) }, by({ a: 'no' })],
  ['result_changed', { state: 'graded', ...by({ a: 'yes' }, 'grader/1') }, by({ a: 'void' })],
  ['result_changed', { state: 'graded', ...by({ a: 'yes' }) }, by({ a: 'disputed' })],
  ['dispute_ended', { state: 'disputed', ...by({ a: 'disputed' }) }, by({ a: 'yes' })],
  [
    'more_markets_resolved',
    { state: 'graded', ...by({ a: 'yes', b: 'unresolved' }) },
    by({ a: 'yes', b: 'no' }),
  ],
  ['more_markets_resolved', { state: 'graded', ...by({ a: 'yes' }) }, by({ b: 'no', a: 'yes' })],
] as const)('%s: a grade of %j is followed by one of %j', (reason, before, after) => {
  expect(reasonOfChange(before, after)).toBe(reason);
});
