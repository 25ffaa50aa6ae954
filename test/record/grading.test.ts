import { expect, test } from '@jest/globals';
import { gradingName } from '../../record/grades/grading.js';

test('a batch is named after its selection', () => {
  expect(gradingName({ kind: 'due' })).toBe('regrade/due');
  expect(gradingName({ kind: 'event', eventId: 'e1' })).toBe('regrade/event/e1');
  expect(gradingName({ kind: 'since', date: '2031-03-05' })).toBe('regrade/since/2031-03-05');
  expect(gradingName({ kind: 'all', grader: 'grader/1' })).toBe('regrade/all/grader/1');
});
