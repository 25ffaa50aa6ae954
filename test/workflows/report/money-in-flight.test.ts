import { afterEach, describe, expect, test } from '@jest/globals';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { useTestService } from '../../support/use-service.js';
import { freshRequest } from '../support/fresh-request.js';
import { replaceableActivities } from '../support/replaceable-activities.js';

const { real, replaced, around } = replaceableActivities();
const service = await useTestService({ around });
afterEach(() => service.simulator.clearFaults());

describe('money in flight', () => {
  test('a charge whose response was lost is made once', async () => {
    let attempts = 0;
    replaced.purchaseReport = async input => {
      const answer = await real.purchaseReport(input);
      attempts++;
      if (attempts === 1) throw new Error('the response was lost');
      return answer;
    };
    const caller = await service.newCaller(500);
    const bought = await caller.buy('sample-fed-cut-2031');
    expect(bought.status).toBe(202);
    await caller.untilEnded(bought.body.report_id);
    expect(attempts).toBe(2);
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['charge', 'grant']);
  });

  test('a charge whose response never arrives counts: the run goes on with it', async () => {
    replaced.purchaseReport = async input => {
      await real.purchaseReport(input);
      throw new Error('the response was lost');
    };
    const caller = await service.newCaller(500);
    const answer = await caller.buy('sample-bitcoin-high-2031');
    expect(answer.status).toBe(202);
    expect((await caller.untilEnded(answer.body.report_id)).status).toBe('completed');
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['charge', 'grant']);
  }, 60_000);

  test('a cached sale in a run whose response never arrives counts: its buyer gets the receipt', async () => {
    const eventId = 'sample-calder-mayor-2031';
    const owner = await service.newCaller(500);
    const { body } = await owner.buy(eventId);
    await owner.untilEnded(body.report_id);
    replaced.purchaseReport = async input => {
      await real.purchaseReport(input);
      throw new Error('the response was lost');
    };
    const caller = await service.newCaller(500);
    const { request, event } = await freshRequest(service, caller, createSampleEventSource(), eventId);
    const answer = await service.newPurchaser().purchase(request, event);
    expect(answer).toMatchObject({ kind: 'cached', reportId: body.report_id });
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['charge', 'grant']);
    const run = service.temporal.workflow.getHandle(caller.workflowId(eventId));
    expect(await run.result()).toEqual({ outcome: 'nothing_to_run' });
    expect((await caller.get(`/api/reports/${body.report_id}`)).status).toBe(200);
  }, 60_000);

  test('a purchase that was not made is withdrawn, and the caller gets `unavailable`', async () => {
    replaced.purchaseReport = () => Promise.reject(new Error('not made'));
    const caller = await service.newCaller(500);
    const answer = await caller.buy('sample-hottest-year-2031');
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable']);
    expect(await caller.balance()).toBe(500);
  }, 60_000);

  test('a purchase after a lost charge gets the same report for nothing', async () => {
    let lost: string | undefined;
    replaced.purchaseReport = async input => {
      lost ??= input.request.purchaseId;
      const answer = await real.purchaseReport(input);
      if (input.request.purchaseId === lost) throw new Error('the response was lost');
      return answer;
    };
    const caller = await service.newCaller(500);
    const { request, event } = await freshRequest(
      service,
      caller,
      createSampleEventSource(),
      'sample-song-contest-2031',
    );
    const answers = await Promise.all([1, 2].map(() => service.newPurchaser().purchase(request, event)));
    const kinds = answers.map(answer => ('kind' in answer ? answer.kind : answer.refused));
    expect(kinds.toSorted()).toEqual(['fresh', 'owned']);
    const [line] = await caller.ledger();
    expect((await caller.untilEnded(line.report_id)).status).toBe('completed');
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['charge', 'grant']);
    expect(await caller.balance()).toBe(500 + line.amount_credits);
  }, 60_000);

  test('a refund that fails three times is still made, once', async () => {
    let attempts = 0;
    replaced.refundReport = async input => {
      attempts++;
      if (attempts <= 3) throw new Error('not now');
      return real.refundReport(input);
    };
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const caller = await service.newCaller(500);
    expect((await caller.run('sample-ridge-derby-2031')).status).toBe('failed');
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['refund', 'charge', 'grant']);
    expect(await caller.balance()).toBe(500);
  }, 120_000);

  test('concurrent requests with one Idempotency-Key are charged once, and refunded once when the run fails', async () => {
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const caller = await service.newCaller(500);
    const headers = { 'idempotency-key': 'the same' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => caller.buy('sample-great-quake-2031', {}, headers)),
    );
    const [first] = answers;
    for (const answer of answers) expect(answer.body).toEqual(first?.body);
    expect((await caller.untilEnded(first?.body.report_id)).status).toBe('failed');
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['refund', 'charge', 'grant']);
  });

  test('concurrent purchases of the same report from many processes share one run and one charge', async () => {
    const caller = await service.newCaller(500);
    const markets = createSampleEventSource();
    const { request, event } = await freshRequest(service, caller, markets, 'sample-harbour-cup-final-2031');
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => service.newPurchaser().purchase(request, event)),
    );
    const kinds = answers.map(answer => ('kind' in answer ? answer.kind : answer.refused));
    expect(kinds.toSorted()).toEqual(['fresh', ...Array.from({ length: 15 }, () => 'owned')]);
    const [line] = await caller.ledger();
    expect((await caller.untilEnded(line.report_id)).status).toBe('completed');
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['charge', 'grant']);
  });
});
