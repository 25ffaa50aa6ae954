import { describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type RefundInput, refundReport } from '../../../activities/report/refund-report.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';
import { bought, complete, purchaseRequest } from '../../db/support/purchases.js';
import { noon, useTestWorld } from '../../db/support/test-world.js';
import { installRuntime } from '../../support/machine/install-runtime.js';
import { parseSamples, total } from '../../support/machine/scrape.js';

await installRuntime({ logger: new DefaultLogger('ERROR') });
const world = useTestWorld();

/** Repeats a refund, as Temporal does when the response of an attempt is lost. */
async function refunded(times: number, input: Omit<RefundInput, 'failure'>) {
  const metrics = createMetrics();
  const deps = { db: world.db, metrics, now: () => noon };
  const receipts = [];
  for (let attempt = 1; attempt <= times; attempt++) {
    const environment = new MockActivityEnvironment({ attempt });
    receipts.push(await environment.run(() => refundReport(deps, { ...input, failure: 'quorum_lost' })));
  }
  const samples = parseSamples(await metrics.registry.metrics());
  return {
    receipts,
    failed: total(samples, 'council_reports_total', { end: 'quorum_lost' }),
    credits: total(samples, 'council_refunded_credits_total', { failure: 'quorum_lost' }),
  };
}

async function purchase() {
  const accountId = await world.openAccount(500);
  const purchased = purchaseRequest({ accountId, eventId: await world.openEvent() });
  return { accountId, purchaseId: purchased.purchaseId, receipt: await bought(world.db, purchased) };
}

describe('a refund', () => {
  test('that is repeated after a lost response is counted once, with the same receipt', async () => {
    const { receipt, ...input } = await purchase();
    const { receipts, failed, credits } = await refunded(3, input);
    expect(receipts).toEqual(
      Array.from({ length: 3 }, () => ({
        reportId: receipt.reportId,
        credits: receipt.creditsSpent,
        isDelivered: false,
      })),
    );
    expect([failed, credits]).toEqual([1, receipt.creditsSpent]);
  });

  test('of a purchase that was never charged, or is delivered already, is not counted', async () => {
    const never = { accountId: await world.openAccount(500), purchaseId: crypto.randomUUID() };
    expect(await refunded(1, never)).toMatchObject({ failed: 0, credits: 0 });
    const { receipt, ...delivered } = await purchase();
    await complete(world.db, receipt.reportId);
    expect(await refunded(1, delivered)).toMatchObject({ failed: 0, credits: 0 });
  });
});
