import { expect, test } from '@jest/globals';
import { explainFailure } from '../../cli/terminal/explain-failure.js';
import { ApiProblem } from '../../client/http-client.js';

test.each([
  [40, 'Try again in 40 seconds.'],
  [3_488, 'Try again in 59 minutes.'],
  [86_400, 'Try again in 24 hours.'],
  [null, 'Try again later.'],
])('a problem with Retry-After %p advises in words: %s', (retryAfterSeconds, advice) => {
  const problem = new ApiProblem('run_limit_exceeded', 'Five runs.', {
    baseUrl: 'http://council.test',
    retryAfterSeconds,
  });
  expect(explainFailure(problem).next).toContain(advice);
});
