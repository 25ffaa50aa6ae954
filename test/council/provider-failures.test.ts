import { expect, test } from '@jest/globals';
import { providerFailures } from '../../council/provider-failures.js';

test('every model lost is named with its first failure, in our own words', () => {
  expect(
    providerFailures([
      { model: 'grok', stage: 'synthesis', kind: 'refused' },
      { model: 'grok', stage: 'cross_review', kind: 'timed_out', waitedSeconds: 40 },
      { model: 'claude', stage: 'opinions', kind: 'rate_limited' },
    ]),
  ).toEqual({ claude: 'rate limited at opinions', grok: 'timed out after 40 s at cross-review' });
});

test('nobody lost, nobody named', () => {
  expect(providerFailures([])).toEqual({});
});
