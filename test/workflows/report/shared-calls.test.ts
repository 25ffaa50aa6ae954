import { describe, expect, test } from '@jest/globals';
import { ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import { refund } from '../../db/support/purchases.js';
import { until } from '../../support/until.js';
import { type Attempt, useAttempts } from '../support/model-attempts.js';

const { world, simulator, processing, attempt, newWorker, recorded } = await useAttempts();

const isAsked = async ({ calls }: ReturnType<Attempt>, times = 1) =>
  until('the model is asked', () => calls().length === times);

/** Holds Claude's answer, and lets Temporal give up the attempt that waits for it. */
async function lostAttempt(
  stage: 'opinions' | 'research',
  reason: ConstructorParameters<typeof ActivityCancellationDetails>[0],
) {
  const { reportId, ...run } = await processing();
  const release = simulator.hold({});
  const first = attempt(reportId, undefined, stage);
  await isAsked(first);
  first.environment.cancel('NOT_FOUND', new ActivityCancellationDetails(reason));
  return { ...run, reportId, first, release };
}

describe.each(['opinions', 'research'] as const)('an attempt at stage %s that Temporal gives up', stage => {
  test.each([{ notFound: true }, { timedOut: true }, { paused: true }, { reset: true }])(
    'keeps its call, and the next attempt returns its result: %j',
    async reason => {
      const { reportId, first, release } = await lostAttempt(stage, reason);
      const second = attempt(reportId, undefined, stage);
      release();
      expect(await second.ended).not.toBeInstanceOf(Error);
      await first.ended;
      expect(first.calls()).toMatchObject([{ aborted: false }]);
      expect(await recorded(reportId)).toMatchObject([
        { outcome: 'answered', used: true, paid: true, estimated: 0 },
      ]);
    },
  );

  test('and that is alone stores its answer for the next one', async () => {
    const { reportId, first, release } = await lostAttempt(stage, { notFound: true });
    release();
    await first.ended;
    const second = attempt(reportId, undefined, stage);
    expect(await second.ended).not.toBeInstanceOf(Error);
    expect(second.calls()).toEqual([]);
  });

  test.each([{ cancelRequested: true }, { workerShutdown: true }])(
    'ends its call when the next attempt is cancelled: %j',
    async reason => {
      const { reportId, first, release } = await lostAttempt(stage, { notFound: true });
      const second = attempt(reportId, undefined, stage);
      second.environment.cancel('CANCELLED', new ActivityCancellationDetails(reason));
      expect(await second.ended).toBeInstanceOf(CancelledFailure);
      await first.ended;
      await until('the call is aborted', () => first.calls()[0]?.aborted);
      release();
      expect(await recorded(reportId)).toMatchObject([
        { outcome: 'aborted', used: false, paid: false, estimated: expect.any(Number) },
      ]);
    },
  );
});

describe('attempts that share a call', () => {
  test('spend its time once, and the last one tells Temporal', async () => {
    simulator.setFault({ times: 1 }, { kind: 'http', status: 429, retry_after: '3' });
    const { reportId, first, release } = await lostAttempt('opinions', { notFound: true });
    const second = attempt(reportId);
    release();
    expect(await second.ended).toMatchObject({ type: 'rate_limited', nextRetryDelay: 3_000 });
    await first.ended;
    const [call] = await world.sql('select latency_ms from provider_calls where report_id = $1', [reportId]);
    const last: any = second.heartbeats.at(-1);
    expect(last.failedCalls).toBe(1);
    expect(last.spentMs).toBeGreaterThanOrEqual(3_000);
    expect(last.spentMs).toBeLessThanOrEqual(3_000 + call.latency_ms + 100);
  });

  test('share the repair of its answer', async () => {
    simulator.setFault({ times: 1 }, { kind: 'wrong_sum' });
    const { reportId, first, release } = await lostAttempt('opinions', { notFound: true });
    const second = attempt(reportId);
    release();
    expect(await second.ended).toBe('stored');
    expect(first.calls()).toHaveLength(2);
    expect(await recorded(reportId)).toMatchObject([{ used: false }, { used: true }]);
  });

  test('do so in one process only: of the answers of two workers one is used, and both are recorded', async () => {
    const { reportId, first, release } = await lostAttempt('opinions', { notFound: true });
    const second = newWorker()(reportId);
    await isAsked(second);
    release();
    expect(await second.ended).toBe('stored');
    await first.ended;
    const rows = await recorded(reportId);
    expect(rows).toMatchObject([{ paid: true }, { paid: true }]);
    expect(rows.filter(({ used }) => used)).toHaveLength(1);
  });
});

describe('what a call may cost whose vendor reported no usage is estimated', () => {
  /** Claude's prices: 20 USD a million tokens of output, at most 8,000 of them, and the prompt. */
  const outputMicros = 20 * 8_000;
  /** At the search 6,000, four searches, and their pages, which the model reads again after each further search. */
  const searchMicros = 20 * 6_000 + 4 * 10_000 + 4 * (1 + 2 + 3 + 4) * 10_000;

  test.each([
    ['opinions', outputMicros],
    ['research', searchMicros],
  ] as const)('for an aborted call at stage %s', async (stage, atLeast) => {
    const { reportId } = await processing();
    const release = simulator.hold({});
    const only = attempt(reportId, undefined, stage);
    await isAsked(only);
    only.environment.cancel();
    expect(await only.ended).toBeInstanceOf(CancelledFailure);
    release();
    const [{ estimated }] = await recorded(reportId);
    expect(estimated).toBeGreaterThan(atLeast);
    expect(estimated).toBeLessThan(1.5 * atLeast);
  });

  test.each([
    ['a lost connection', { kind: 'connection_reset' }, 'unavailable', true],
    ['a refusal to serve', { kind: 'http', status: 503 }, 'unavailable', false],
    ['too many requests', { kind: 'http', status: 429 }, 'rate_limited', false],
    ['a rejected key', { kind: 'http', status: 401 }, 'unauthorised', false],
    ['a useless answer, which has its usage', { kind: 'refusal' }, 'refused', false],
  ] as const)('after %s: %j is %s, estimated: %p', async (_, fault, outcome, estimated) => {
    simulator.setFault({}, fault);
    const { reportId } = await processing();
    await attempt(reportId).ended;
    const [row] = await recorded(reportId);
    expect({ ...row, estimated: row.estimated > outputMicros }).toMatchObject({ outcome, estimated });
    if (!estimated) expect(row.estimated).toBe(0);
  });

  test('and not for an answer that arrives when its run has ended: its usage is reported', async () => {
    const { reportId, accountId, purchaseId } = await processing();
    const release = simulator.hold({});
    const only = attempt(reportId);
    await isAsked(only);
    await refund(world.db, { accountId, purchaseId });
    release();
    await only.ended;
    expect(await recorded(reportId)).toMatchObject([
      { outcome: 'answered', used: false, paid: true, estimated: 0 },
    ]);
  });
});
