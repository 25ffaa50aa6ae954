import { expect, test } from '@jest/globals';
import { reportShape } from '../../cli/connections/api-shapes.js';

test('a report from before positions were told can still be shown', () => {
  expect(reportShape.shape.deliberation.parse({})).toEqual({ positions: [] });
});
