import { randomUUID } from 'node:crypto';
import { conclude } from '../../../council/conclusion/conclude.js';
import type { Grounds } from '../../../council/deliberation/stages.js';
import type { Evidence } from '../../../council/evidence.js';
import { councilModels } from '../../../council/models.js';
import { hashedEvidence } from '../../../db/digests.js';
import { saveEvent } from '../../../db/reports/events.js';
import { saveStageResult } from '../../../db/reports/run.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { freezeForecast } from '../../../record/recorded-forecast.js';
import { input } from '../../council/conclusion/conclude-input.js';
import { cupMatch, opinion } from '../../council/fixtures.js';
import { answeredCall, finish, freezeMarket, sell } from './purchases.js';
import { noon, type TestWorld } from './test-world.js';

/** What the forecasts of the report rest on. */
const grounds: Grounds = {
  rule: 'The winner of the match.',
  resolutionRisk: 3,
  baseRates: [{ referenceClass: 'Finals', k: 12, n: 20, period: 'since 1990', sources: [] }],
  outsideView: { outcome: 'Canada', probability: 59.1 },
  subject: 'Canada',
  range: { low: 55, high: 75 },
  wouldChange: [{ if: 'The captain is injured.', by: '2031-04-20', to: 45 }],
  dropped: [],
};

/** Ten points above the market on Canada. */
const opinions = Object.fromEntries(
  councilModels.map(model => [model, opinion({ Canada: 66, Draw: 20, 'South Africa': 14 }, { grounds })]),
);

/** What is stored of the members. */
export const storedAnswers = [
  { stage: 'opinions', model: 'claude', answer: opinions['claude'] },
  { stage: 'opinions', model: 'gpt', answer: { text: 'of gpt' } },
  { stage: 'market_gap', model: 'grok', answer: { marketMayKnow: 'The line-up.', councilMayKnow: 'Form.' } },
] as const;

/** A completed and recorded report with its own forecast, market and answers. */
export async function completedReport(world: TestWorld, evidence: Evidence | null = null): Promise<number> {
  const event = { ...cupMatch, eventId: `cup-${randomUUID()}` };
  await saveEvent(world.db, event, noon);
  const { reportId } = await sell(world, { eventId: event.eventId });
  await freezeMarket(world.db, reportId, { event, queriedMarket: 'Canada', pricesAt: noon });
  for (const { stage, model, answer } of storedAnswers) {
    const call = answeredCall(reportId, { stage, model, modelId: `${model}-1` });
    await saveStageResult(world.db, { answer: answer ?? {}, call, latencyMs: 1, now: noon });
  }
  const drawn = input({ opinions, evidence: evidence && hashedEvidence(evidence) });
  const conclusion = conclude(drawn);
  const forecast = freezeForecast({
    reportId,
    input: drawn,
    conclusion,
    modelIds: { claude: 'claude-1', gpt: 'gpt-1' },
    promptSha256: 'a'.repeat(64),
    completedAt: noon.toISOString(),
  });
  await finish(world.db, reportId, { conclusion, forecast });
  await sealRecord(world.db);
  return reportId;
}

/** The forecast in its entry. */
export const payloadOf = async (world: TestWorld, reportId: number) =>
  JSON.parse(
    (
      await world.sql(`select payload from record_entries where kind = 'completed' and report_id = $1`, [
        reportId,
      ])
    )[0].payload,
  );
