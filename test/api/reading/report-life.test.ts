import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

describe('the life of a report', () => {
  test('a report is bought, deliberated and delivered', async () => {
    const caller = await service.newCaller(1_000);
    const bought = await caller.buy('sample-fed-cut-2031');
    expect(bought.body).toMatchObject({
      status: 'pending',
      cached: false,
      credits_spent: 120,
      pool: 'purchased',
    });
    expect(bought.status).toBe(202);
    const report = await caller.untilEnded(bought.body.report_id);
    expect(report.status).toBe('completed');
  });
});
