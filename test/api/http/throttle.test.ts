import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/expect/expect-problem.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

describe.each([
  ['credential', { address: 1_000, credential: 20 }],
  ['address', { address: 20, credential: 1_000 }],
] as const)('a flood by one %s', (who, requestsPerMinute) => {
  let service: TestService;
  let caller: TestCaller;

  beforeAll(async () => {
    service = await startTestService({ worker: false, limits: { requestsPerMinute } });
    caller = await service.newCaller(100);
  });
  afterAll(() => service.stop());

  test('is refused with a problem and Retry-After, while others are served', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => caller.get('/api/credits/balance')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(20);
    for (const answer of refused) {
      expectProblem(answer, 'rate_limited');
      const wait = Number(answer.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(answer.headers.get('ratelimit-policy')).toContain(`"${who}"; q=20; w=60`);
      expect(answer.headers.get('ratelimit')).toContain(`"${who}"; r=0; t=`);
    }
    const other = await caller.get('/api/credits/pricing', { as: 'nobody' });
    expect(other.status).toBe(who === 'credential' ? 200 : 429);
    expect((await caller.get('/healthz', { as: 'nobody' })).status).toBe(200);
  });
});
