import { afterEach, describe, expect, test } from '@jest/globals';
import type { Stage } from '../../../council/deliberation/stages.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import type { Fault } from '../../../simulator/faults.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { useTestService } from '../../support/use-service.js';

const events = createSampleEventCopies();
const service = await useTestService({ markets: events });
afterEach(() => service.simulator.clearFaults());

/** Permanent failures, and what a caller reads about each. No text comes from a vendor. */
const losses: readonly (readonly [Fault, string])[] = [
  [{ kind: 'http', status: 401 }, 'was not authorised'],
  [{ kind: 'refusal' }, 'refused to answer'],
  [{ kind: 'invalid_json' }, 'gave an invalid answer'],
  [{ kind: 'http', status: 404 }, 'was unavailable'],
  [{ kind: 'http', status: 429, retry_after: '3600' }, 'rate limited'],
  [{ kind: 'truncated' }, 'gave an answer that was cut off at its length limit'],
  [{ kind: 'content_filter' }, 'refused to answer'],
];

const at: Readonly<Record<Stage, string>> = {
  opinions: 'opinions',
  cross_review: 'cross-review',
  synthesis: 'synthesis',
};

/** All sixteen subsets of the council. */
const subsets = Array.from({ length: 2 ** councilModels.length }, (_, bits) =>
  councilModels.filter((_model, index) => (bits >> index) & 1),
);

const samples = {
  opinions: 'sample-fed-cut-2031',
  cross_review: 'sample-ridge-derby-2031',
  synthesis: 'sample-oil-ladder-2031',
} as const;

/** Each member of the subset fails in another way, so that every member fails in every way. */
function lossOf(model: CouncilModel, lost: readonly CouncilModel[]): readonly [Fault, string] {
  const turn = councilModels.indexOf(model) + subsets.findIndex(each => each.join() === lost.join());
  return losses[turn % losses.length] ?? [{ kind: 'refusal' }, 'refused to answer'];
}

async function runWithout(lost: readonly CouncilModel[], stage: Stage) {
  for (const model of lost) service.simulator.setFault({ model, stage }, lossOf(model, lost)[0]);
  const caller = await service.newCaller(1_000);
  const before = service.simulator.calls.length;
  const report = await caller.run(events.retell(samples[stage]));
  return { caller, report, calls: service.simulator.calls.slice(before) };
}

function failureTexts(models: readonly CouncilModel[], lost: readonly CouncilModel[], stage: Stage) {
  return Object.fromEntries(models.map(model => [model, `${lossOf(model, lost)[1]} at ${at[stage]}`]));
}

async function expectRefunded({ caller, report }: Awaited<ReturnType<typeof runWithout>>, code: string) {
  expect(report).toMatchObject({ status: 'failed', failure: { code }, council_config: { runtime: null } });
  expect(await caller.balance()).toBe(1_000);
  const [refund, charge] = await caller.ledger();
  expect(report.completed_at).toBeNull();
  const leg = { pool: 'purchased', report_id: report.id };
  expect(charge).toMatchObject({ ...leg, kind: 'charge' });
  expect(refund).toMatchObject({ ...leg, kind: 'refund', amount_credits: -charge.amount_credits });
}

const name = (lost: readonly CouncilModel[]): string => (lost.length === 0 ? 'no member' : lost.join(', '));

describe('members lost at opinions', () => {
  test.each(subsets.map(lost => [name(lost), lost] as const))('%s', async (_, lost) => {
    const ran = await runWithout(lost, 'opinions');
    const members = councilModels.filter(model => !lost.includes(model));
    if (members.length < 2) return expectRefunded(ran, 'quorum_lost');

    expect(ran.report.status).toBe('completed');
    expect(ran.report.council_config.runtime).toMatchObject({
      models: members,
      degraded: lost.length > 0,
      chairman: members[0],
    });
    expect(ran.report.council_config.runtime.provider_failures).toEqual(failureTexts(lost, lost, 'opinions'));
    const { opinions } = ran.report.deliberation;
    expect(new Set(opinions.map(({ model }: any) => model))).toEqual(new Set(members));
    expect(opinions).toHaveLength(members.length);
    const reviewers = ran.report.deliberation.cross_review.reviews.map(({ model }: any) => model);
    expect(reviewers.sort()).toEqual([...members].sort());
    for (const { model, ranking } of ran.report.deliberation.cross_review.reviews) {
      expect(new Set(ranking)).toEqual(new Set(members.filter(each => each !== model)));
      expect(ranking).toHaveLength(members.length - 1);
    }
    expect(await ran.caller.balance()).toBeLessThan(1_000);
  });
});

describe('members lost at the cross-review', () => {
  test.each(subsets.map(lost => [name(lost), lost] as const))('%s', async (_, lost) => {
    const { report } = await runWithout(lost, 'cross_review');
    const { runtime } = report.council_config;
    expect(report.status).toBe('completed');
    expect(runtime).toMatchObject({ models: [...councilModels], degraded: lost.length > 0 });
    expect(runtime.provider_failures).toEqual(failureTexts(lost, lost, 'cross_review'));
    // A member that has just failed is the last to be asked to chair.
    expect(runtime.chairman).toBe(councilModels.find(model => !lost.includes(model)) ?? councilModels[0]);

    const { opinions, cross_review, positions } = report.deliberation;
    const reviewers = cross_review.reviews.map(({ model }: any) => model);
    expect(reviewers.sort()).toEqual(councilModels.filter(model => !lost.includes(model)).sort());
    expect(opinions).toHaveLength(4);
    // The first opinion of a member that did not review still counts, unchanged.
    for (const model of lost) {
      expect(positions.find((each: any) => each.model === model).moved_points).toBe(0);
    }
    for (const { ballots } of cross_review.aggregate_ranking)
      expect(ballots).toBeLessThanOrEqual(4 - lost.length);
  });
});

describe('members lost at the synthesis', () => {
  test.each(subsets.map(lost => [name(lost), lost] as const))('%s', async (_, lost) => {
    const ran = await runWithout(lost, 'synthesis');
    const chairman = councilModels.find(model => !lost.includes(model));
    if (chairman === undefined) return expectRefunded(ran, 'no_chairman');

    const { runtime } = ran.report.council_config;
    // Members after the chairman are never asked.
    const asked = councilModels.slice(0, councilModels.indexOf(chairman));
    expect(ran.report.status).toBe('completed');
    expect(runtime).toMatchObject({
      chairman,
      models: [...councilModels],
      degraded: false,
      provider_failures: {},
      synthesis: { chairman, replaced: asked.map(model => ({ model, reason: lossOf(model, lost)[1] })) },
    });
    expect(ran.report.dropouts).toMatchObject(asked.map(model => ({ model, stage: 'synthesis' })));
    expect(ran.report.deliberation.synthesis.model).toBe(chairman);
    const called = new Set(ran.calls.filter(call => call.stage === 'synthesis').map(call => call.model));
    expect([...called]).toEqual([...asked, chairman]);
  });
});

test('no member is lost when the clock of a worker is two days ahead, and each is asked with its effort for the stage', async () => {
  service.clock.offsetMs = 2 * 86_400_000;
  try {
    const { report, calls } = await runWithout([], 'opinions');
    expect(report.council_config.runtime).toMatchObject({ degraded: false, provider_failures: {} });
    const asked = calls.map(({ stage, limits }) => `${stage} ${limits.effort}`);
    expect(new Set(asked)).toEqual(new Set(['opinions medium', 'cross_review low', 'synthesis low']));
  } finally {
    service.clock.offsetMs = 0;
  }
});
