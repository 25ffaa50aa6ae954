import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import { pino } from 'pino';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { runChore } from '../../support/service/run-maintenance.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const logged: { level: number; msg: string }[] = [];
let service: TestService;

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: line => void logged.push(JSON.parse(line)) });
  service = await startTestService({ log });
});
afterAll(() => service.stop());

const errorLevel = 50;

test('what a weekly grant still holds after its week is taken back, once', async () => {
  service.simulator.setFault({}, { kind: 'http', status: 403 });
  const caller = await service.newCaller(0, { weeklyGrant: true });
  const { body } = await caller.buy('sample-fed-cut-2031');
  expect(await caller.untilEnded(body.report_id)).toMatchObject({ status: 'failed' });
  service.simulator.clearFaults();
  const held = () => balanceCredits(service.database.db, caller.accountId, 'weekly_grant');
  expect(await held()).toBeGreaterThan(0);
  expect(await runChore(service, 'expireGrants')).toEqual({ expired: 0 });
  service.clock.offsetMs = 8 * 24 * 3_600_000;
  expect(await runChore(service, 'expireGrants')).toEqual({ expired: 1 });
  expect(await runChore(service, 'expireGrants')).toEqual({ expired: 0 });
  service.clock.offsetMs = 0;
  expect(await held()).toBe(0);
});

describe('the check of the ledger', () => {
  test('says how much it looked at when the books add up, and logs nothing', async () => {
    const caller = await service.newCaller(500);
    const { body } = await caller.buy('sample-ridge-derby-2031');
    await caller.untilEnded(body.report_id);
    logged.length = 0;
    const check = await runChore(service, 'checkLedger');
    expect(check).toMatchObject({ drift: [], drifts: 0, notices: 0 });
    expect(check.checked['purchases']).toBeGreaterThan(0);
    expect(logged).toEqual([]);
  });

  test('fails its workflow, with the sentences, and logs each as an error, when they do not', async () => {
    await service.database.pool.query('alter table report_purchases disable trigger user');
    await service.database.pool.query('update report_purchases set credits = credits + 1');
    logged.length = 0;
    const failure = await runChore(service, 'checkLedger').then(
      () => null,
      (error: unknown) => error,
    );
    if (!(failure instanceof WorkflowFailedError)) throw new Error('the workflow did not fail');
    expect(failure.cause).toMatchObject({ type: 'ledger_drift', nonRetryable: true });
    expect(failure.cause?.message).toMatch(/do not add up, in 2 places:\npurchase .* its charge took/);
    const errors = logged.filter(({ level }) => level === errorLevel).map(({ msg }) => msg);
    expect(errors).toEqual([
      expect.stringMatching(/^purchase .* its charge took/),
      expect.stringMatching(/^purchase .* its charge took/),
    ]);
  });
});
