import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { answersOf, briefOf } from '../../../activities/report/stage-reader.js';
import { conclude } from '../../../council/conclusion/conclude.js';
import type { Dropout } from '../../../council/deliberation/members.js';
import type { CrossReview, Opinion } from '../../../council/deliberation/stages.js';
import type { Market, MarketEvent } from '../../../council/event.js';
import { assembleEvidence, packOf } from '../../../council/evidence/assemble-evidence.js';
import { councilModels } from '../../../council/models.js';
import { roundTo } from '../../../council/numbers.js';
import { opinionPrompt, opinionPromptsText } from '../../../council/prompts/opinion-prompt.js';
import type { Conclusion } from '../../../council/report.js';
import { hashedEvidence } from '../../../db/digests.js';
import { readRunAndDeliberation } from '../../../db/reports/run.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { verifyRecord } from '../../../db/track-record/verify-record.js';
import type { RecordedForecast } from '../../../record/recorded-forecast.js';
import { redoNumbers } from '../../support/dump/redo-numbers.js';
import { verifyAsStranger } from '../../support/record/verify-as-stranger.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ researchDeadlineMs: 8_000 });
afterEach(() => service.simulator.clearFaults());

/** Reads each report that was run, as a buyer does. */
const readAgain = new Map<number, () => Promise<any>>();

async function run(eventId: string): Promise<any> {
  const caller = await service.newCaller(1_000);
  const report = await caller.run(eventId);
  expect(report).toMatchObject({ status: 'completed', failure: null });
  readAgain.set(report.id, async () => (await caller.get(`/api/reports/${report.id}`)).body);
  return report;
}

/** Recomputes the numbers of a report from the report alone. */
function recompute(report: any): Conclusion {
  const { opinions, cross_review } = report.deliberation;
  const { runtime } = report.council_config;
  return conclude({
    method: runtime.method.name,
    weights: runtime.estimate && { ...runtime.estimate.weights, kind: runtime.estimate.method },
    event: eventOf(report),
    pricesAt: report.market_snapshot.taken_at,
    quoteAgeSeconds: (Date.parse(report.completed_at) - Date.parse(report.market_snapshot.taken_at)) / 1_000,
    queriedMarket: report.queried_market,
    opinions: byModel<Opinion>(opinions, answer => ({
      ...answer,
      confidence: roundTo(100 - (answer.range.high - answer.range.low), 1),
      grounds: { ...answer, resolutionRisk: answer.resolution_risk, outsideView: answer.outside_view },
    })),
    reviews: byModel<CrossReview>(cross_review.reviews, answer => ({
      ...answer,
      revisedDistribution: answer.revised_distribution,
      revisedConfidence: answer.revised_confidence,
    })),
    evidence: report.deliberation.evidence && hashedEvidence(report.deliberation.evidence),
    dropouts: report.dropouts.map(({ detail, ...dropout }: Dropout & { detail: string }): Dropout => {
      const seconds = /after (\d+) s/.exec(detail)?.[1];
      if (seconds !== undefined) return { ...dropout, waitedSeconds: Number(seconds) };
      return detail.includes('cut off') ? { ...dropout, truncated: true } : dropout;
    }),
    chairman: report.deliberation.synthesis.model,
    simulated: runtime.simulated,
  });
}

function eventOf({ event_id, event_title, market_snapshot: snapshot }: any): MarketEvent {
  return {
    eventId: event_id,
    slug: null,
    source: 'sample',
    title: event_title,
    description: '',
    category: null,
    closesAt: null,
    status: 'open',
    exclusive: snapshot.exclusive,
    canGrow: snapshot.can_grow,
    resolutionSource: null,
    volume: 0,
    url: null,
    markets: snapshot.markets.map(
      (market: any): Market => ({
        marketId: market.market_id,
        name: market.market,
        question: market.question,
        slug: market.slug,
        sides: market.outcomes,
        status: market.status,
        placeholder: market.placeholder,
        other: market.other,
        rules: null,
        closesAt: market.closes_at,
        resolutionSource: null,
        bestBid: market.best_bid,
        bestAsk: market.best_ask,
        lastTrade: market.last_trade,
        volume: market.volume,
        takerFee: market.taker_fee,
        resolution: market.resolution,
      }),
    ),
  };
}

function byModel<Answer>(entries: any[], read: (entry: any) => Answer): Record<string, Answer> {
  return Object.fromEntries(entries.map(entry => [entry.model, read(entry)]));
}

/** The same numbers, as the report publishes them. */
function published(report: any): Conclusion {
  // Derived from the market when a report is presented.
  const { bets_missing: _, ...runtime } = report.council_config.runtime;
  return {
    action: report.action,
    probability: report.probability,
    confidence: report.confidence,
    queried_market: report.queried_market,
    runtime,
    aggregate_ranking: report.deliberation.cross_review.aggregate_ranking,
    positions: report.deliberation.positions,
    evidence: report.deliberation.evidence,
  };
}

describe('the numbers of a stored report can be recomputed from it, bit for bit:', () => {
  test.each([
    ['one market', 'sample-fed-cut-2031'],
    ['one outcome of several', 'sample-ridge-derby-2031'],
    ['more outcomes than the models are asked about', 'sample-expo-host-2031'],
    ['independent markets', 'sample-oil-ladder-2031'],
    ['closed markets and placeholders', 'sample-calder-mayor-2031'],
    ['a market without a price', 'sample-warm-superconductor-2032'],
  ])('%s', async (_, eventId) => {
    const report = await run(eventId);
    expect(JSON.stringify(recompute(report))).toBe(JSON.stringify(published(report)));
  });

  test('a council that lost one member at each stage', async () => {
    service.simulator.setFault({ model: 'gpt', stage: 'opinions' }, { kind: 'refusal' });
    service.simulator.setFault({ model: 'grok', stage: 'cross_review' }, { kind: 'truncated' });
    service.simulator.setFault({ model: 'claude', stage: 'synthesis' }, { kind: 'http', status: 401 });
    const report = await run('sample-harbour-cup-final-2031');
    const { runtime } = report.council_config;
    expect(Object.keys(runtime.provider_failures)).toEqual(['gpt', 'grok']);
    expect(runtime.synthesis.replaced).toEqual([{ model: 'claude', reason: 'was not authorised' }]);
    expect(JSON.stringify(recompute(report))).toBe(JSON.stringify(published(report)));
  });
});

test('the record contains the forecast of the report, and the hash of the prompts that were sent', async () => {
  const before = service.simulator.calls.length;
  const report = await run('sample-hottest-year-2031');
  const { payload } = await service.database.db
    .selectFrom('record_entries')
    .select('payload')
    .where('report_id', '=', report.id)
    .where('kind', '=', 'completed')
    .executeTakeFirstOrThrow();
  const forecast: RecordedForecast = JSON.parse(payload);
  const { runtime } = report.council_config;
  const byName = (field: 'council' | 'market') =>
    Object.fromEntries(forecast.outcomes.map(outcome => [outcome.name, outcome[field]]));
  expect(byName('council')).toEqual(runtime.market_probabilities);
  expect(byName('market')).toEqual(runtime.market_implied_probabilities);
  expect(forecast).toMatchObject({
    event_id: report.event_id,
    action: report.action,
    prices_at: runtime.prices_at,
    completed_at: report.completed_at,
    headline: { outcome: runtime.most_likely_outcome, percent: runtime.most_likely_probability },
    model_ids: Object.fromEntries(
      report.deliberation.opinions.map((each: any) => [each.model, each.model_id]),
    ),
  });
  const sent = councilModels.flatMap(member =>
    service.simulator.calls
      .slice(before)
      .filter(({ stage, model }) => stage === 'opinions' && model === member)
      .map(({ system, user }) => `${system}\n\n${user}`),
  );
  expect(sent).toHaveLength(4);
  expect(forecast.prompt_sha256).toBe(sha256([...new Set(sent)].join('\n\n')));
  expect((await verifyRecord(service.database.db)).faults).toEqual([]);
});

test('the stored evidence is assembled again from the stored searches, byte for byte, and its hash is in the record', async () => {
  service.simulator.setFault({ model: 'grok', stage: 'research' }, { kind: 'refusal' });
  const before = service.simulator.calls.length;
  const report = await run('sample-great-quake-2031');
  const { evidence } = report.deliberation;
  expect(evidence).toMatchObject({ status: 'partial', failures: { grok: 'refused to answer' } });
  const stored = await readRunAndDeliberation(service.database.db, report.id);
  const brief = briefOf(stored);
  const { event, asOf, seed } = brief;
  const research = answersOf(stored.deliberation.research, ['claude', 'gpt']);
  const found = assembleEvidence({ event, asOf, seed, research, failures: evidence.failures });
  expect(JSON.stringify(stored.evidence)).toBe(JSON.stringify(found));
  expect(JSON.stringify(found.evidence)).toBe(JSON.stringify(evidence));
  for (const { stage, model, system, user } of service.simulator.calls.slice(before)) {
    if (stage === 'opinions')
      expect(opinionPrompt({ ...brief, pack: packOf(found, model) })).toMatchObject({ system, user });
  }
  const { payload } = await service.database.db
    .selectFrom('record_entries')
    .select('payload')
    .where('report_id', '=', report.id)
    .where('kind', '=', 'completed')
    .executeTakeFirstOrThrow();
  const forecast: RecordedForecast = JSON.parse(payload);
  const summary = {
    status: 'partial',
    items: evidence.items.length,
    sha256: sha256(JSON.stringify(evidence)),
  };
  expect(report.council_config.runtime.evidence).toEqual(summary);
  expect(forecast.evidence).toEqual(summary);
  expect(forecast.prompt_sha256).toBe(
    sha256(opinionPromptsText(councilModels, brief, model => packOf(found, model))),
  );
  expect(JSON.stringify(recompute(report))).toBe(JSON.stringify(published(report)));
});

test('a price that is changed by one cent afterwards is detected', async () => {
  const report = await run('sample-fed-cut-2031');
  report.market_snapshot.markets[0].best_ask += 0.01;
  expect(JSON.stringify(recompute(report))).not.toBe(JSON.stringify(published(report)));
});

describe('of all these reports', () => {
  test('every number is computed again from the stored rows', async () => {
    const { redone, differences } = await redoNumbers(service.database.db);
    expect(differences).toEqual([]);
    expect(redone.reports).toBe(readAgain.size);
  });

  test('a stranger who has only what was sent computes base rates, confidence and all that is beside the forecast', async () => {
    await sealRecord(service.database.db);
    const reports = await Promise.all([...readAgain.values()].map(read => read()));
    const { text } = await verifyAsStranger(service.url, { reports });
    expect(text).toMatch(
      new RegExp(`Verified: ${reports.length} saved reports fit the chain.*what they rest on`),
    );
    expect(text).toContain(', 0 faults.');
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
