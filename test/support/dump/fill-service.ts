import { randomUUID } from 'node:crypto';
import { gradeReports } from '../../../activities/grading/grade-reports.js';
import type { Resolution } from '../../../council/event.js';
import { refundPurchase, settleOrWithdraw } from '../../../db/purchases/refunds.js';
import { saveResolution } from '../../../db/track-record/resolutions.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { bought, purchaseRequest } from '../../db/support/purchases.js';
import { runRound } from '../service/run-maintenance.js';
import { subscribe } from '../service/subscribe.js';
import type { TestCaller } from '../service/test-caller.js';
import type { TestService } from '../service/test-service.js';
import { until } from '../until.js';

/** Reports of every state, lane and end, with grades, on a running service. */
export async function fillService(service: TestService): Promise<void> {
  const { simulator, database, temporal } = service;
  const { db } = database;
  const owner = await service.newCaller(3_000, { weeklyGrant: true });
  const buy = async (caller: TestCaller, eventId: string, more: object = {}) => {
    await caller.run(eventId, more, { 'idempotency-key': randomUUID() });
  };
  await buy(owner, 'sample-fed-cut-2031');
  await buy(owner, 'sample-ridge-derby-2031');
  const subscriber = await service.newCaller();
  await subscribe(db, subscriber.accountId);
  await buy(subscriber, 'sample-oil-ladder-2031', { lane: 'subscription' });
  await buy(subscriber, 'sample-fed-cut-2031', { lane: 'subscription' });
  const byok = await service.newCaller(500);
  await byok.put('/api/provider-keys/openrouter', { key: 'sk-own-openrouter-1234' }, { as: 'session' });
  await buy(byok, 'sample-warm-superconductor-2032', { lane: 'byok' });
  await buy(byok, 'sample-ridge-derby-2031');
  simulator.setFault({ model: 'gpt', stage: 'opinions' }, { kind: 'refusal' });
  simulator.setFault({ model: 'grok', stage: 'cross_review' }, { kind: 'empty' });
  simulator.setFault({ model: 'claude', stage: 'synthesis' }, { kind: 'http', status: 401 });
  await buy(owner, 'sample-harbour-cup-final-2031');
  simulator.clearFaults();
  simulator.setFault({ stage: 'synthesis' }, { kind: 'http', status: 401 });
  await buy(owner, 'sample-hottest-year-2031');
  simulator.clearFaults();
  simulator.setFault({ stage: 'opinions' }, { kind: 'http', status: 401 });
  await buy(await service.newCaller(0, { weeklyGrant: true }), 'sample-expo-host-2031');
  simulator.clearFaults();
  for (const [eventId, end] of Object.entries({
    'sample-hottest-year-2031': 'cancel',
    'sample-great-quake-2031': 'terminate',
    'sample-bitcoin-high-2031': 'processing',
  })) {
    simulator.setFault({ stage: 'opinions' }, { kind: 'hang' });
    const caller = await service.newCaller(500);
    const { body } = await caller.buy(eventId);
    const read = () => caller.get(`/api/reports/${body.report_id}`);
    await until('it is being processed', read, answer => answer.body.status === 'processing');
    const run = temporal.workflow.getHandle(caller.workflowId(eventId));
    if (end === 'cancel') await run.cancel();
    if (end === 'terminate') await run.terminate();
    if (end === 'terminate') await runRound(service, 'release-stranded-runs');
    if (end === 'processing') break;
    simulator.clearFaults();
    await caller.untilEnded(body.report_id);
  }
  await endWithoutARun(service, owner.accountId);
  await gradeAll(service);
}

/** The ends and states that a run reaches for a moment only, and a purchase that was withdrawn. */
async function endWithoutARun({ database: { db } }: TestService, accountId: string): Promise<void> {
  const now = new Date();
  const buyer = (eventId: string) => purchaseRequest({ accountId, eventId, utcDay: '2001-01-01' });
  // Each on an event of its own: an event that fails twice rests.
  const ends = [
    ['sample-fed-cut-2031', 'event_closed'],
    ['sample-ridge-derby-2031', 'market_unavailable'],
    ['sample-oil-ladder-2031', 'internal'],
    ['sample-harbour-cup-final-2031', null],
  ] as const;
  for (const [index, [eventId, failure]] of ends.entries()) {
    const request = buyer(eventId);
    await bought(db, request, { now: new Date(now.getTime() - (index + 2) * 3_600_000) });
    if (failure !== null) await refundPurchase(db, { ...request, failure, now });
  }
  const { purchaseId } = buyer('sample-expo-host-2031');
  await settleOrWithdraw(db, { purchaseId, accountId, now });
}

const resolutions: readonly Resolution[] = ['yes', 'fifty_fifty', 'no', 'void', 'disputed'];

/** Each recorded report gets another resolution of its queried market; the other markets end as NO. */
async function gradeAll({ database: { db } }: TestService): Promise<void> {
  const markets = createSampleEventSource();
  const reports = await db
    .selectFrom('record_entries as entry')
    .innerJoin('reports as report', 'report.id', 'entry.report_id')
    .select(['report.id', 'report.event_id as eventId', 'report.queried_market as queried'])
    .where('entry.kind', '=', 'completed')
    .orderBy('report.id')
    .execute();
  for (const [index, { eventId, queried }] of reports.entries()) {
    const event = await markets.get(eventId);
    if (event === null) throw new Error(`there is no event ${eventId}`);
    const outcomes = Object.fromEntries(
      event.markets.map(({ name, marketId }): [string, Resolution] => [
        marketId,
        name === queried ? (resolutions[index % resolutions.length] ?? 'yes') : 'no',
      ]),
    );
    await saveResolution(db, { eventId, outcomes, words: null, evidence: {}, now: new Date() });
  }
  const log = { warn: () => undefined, error: () => undefined };
  const page = await gradeReports(
    { db, now: () => new Date(), log },
    reports.map(({ id }) => id),
  );
  if (page.failures.length > 0) throw new Error(JSON.stringify(page.failures));
}
