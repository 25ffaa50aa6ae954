import { log } from '@temporalio/activity';
import { type ConcludeInput, conclude } from '../../council/conclusion/conclude.js';
import type { Dropout } from '../../council/deliberation/members.js';
import { packOf } from '../../council/evidence/assemble-evidence.js';
import type { Evidence } from '../../council/evidence.js';
import { method } from '../../council/method.js';
import type { CouncilModel } from '../../council/models.js';
import { opinionPromptsText } from '../../council/prompts/opinion-prompt.js';
import type { Conclusion } from '../../council/report.js';
import type { Db } from '../../db/database.js';
import { hashedEvidence, textSha256 } from '../../db/digests.js';
import { readWeightsInForce } from '../../db/estimate/weights.js';
import { completeReport } from '../../db/reports/complete-report.js';
import { notifyOfProgress } from '../../db/reports/report-changes.js';
import { appendToStream } from '../../db/reports/report-stream.js';
import { readRunAndDeliberation } from '../../db/reports/run.js';
import type { ReadOtherVenue } from '../../markets/read-other-venue.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import { freezeForecast } from '../../record/recorded-forecast.js';
import { answersOf, briefOf } from './stage-reader.js';

export interface ConcludeDependencies {
  readonly db: Db;
  readonly metrics: Metrics;
  readonly readOtherVenue: ReadOtherVenue;
  readonly now: () => Date;
}

/** The participants of each stage: all that the conclusion needs in addition to the stored answers. */
export interface CouncilResult {
  readonly reportId: number;
  readonly members: readonly CouncilModel[];
  readonly reviewers: readonly CouncilModel[];
  readonly chairman: CouncilModel;
  readonly dropouts: readonly Dropout[];
}

export interface ConcludedReport {
  readonly action: string;
  readonly mostLikelyOutcome: string;
  readonly conflict: boolean;
  readonly degraded: boolean;
}

/**
 * Computes every number from the stored answers and the frozen prices, and stores the completed report. A second
 * attempt computes the same, unless other weights came into force; what was stored first counts.
 */
export async function concludeReport(
  { db, metrics, readOtherVenue, now }: ConcludeDependencies,
  { reportId, members, reviewers, chairman, dropouts }: CouncilResult,
): Promise<ConcludedReport> {
  const [run, weights] = await begin(db, reportId);
  const { event, pricesAt, queriedMarket, simulated, evidence } = run;
  if (event === null || queriedMarket === null || pricesAt === null) {
    throw new Error(`report ${reportId} has no market snapshot`);
  }
  const { opinions, reviews } = run.deliberation;
  const brief = briefOf(run);
  const otherVenue = await readOtherVenue(event);
  const concludedAt = now();
  const input: ConcludeInput = {
    method: method.name,
    weights,
    event,
    pricesAt: pricesAt.toISOString(),
    quoteAgeSeconds: (concludedAt.getTime() - pricesAt.getTime()) / 1_000,
    queriedMarket,
    opinions: answersOf(opinions, members),
    reviews: answersOf(reviews, reviewers),
    evidence: evidence && hashedEvidence(evidence.evidence),
    dropouts,
    chairman,
    simulated,
  };
  const conclusion = conclude(input);
  const forecast = freezeForecast({
    reportId,
    input,
    conclusion,
    modelIds: Object.fromEntries(
      opinions.filter(({ model }) => members.includes(model)).map(({ model, modelId }) => [model, modelId]),
    ),
    promptSha256: textSha256(
      opinionPromptsText(members, brief, model => evidence && packOf(evidence, model)),
    ),
    completedAt: concludedAt.toISOString(),
  });
  const concluded = outlineOf(conclusion);
  if (await completeReport(db, reportId, { conclusion, dropouts, otherVenue, forecast, now: concludedAt })) {
    count(metrics, concluded, dropouts);
    countEvidence(metrics, conclusion.evidence ?? null);
    log.info('the report is completed', { reportId, ...concluded });
  }
  return concluded;
}

/** What the conclusion is computed from. It is the last stage of the stream, and asks no model. */
async function begin(db: Db, reportId: number) {
  const [run, weights] = await Promise.all([
    readRunAndDeliberation(db, reportId),
    readWeightsInForce(db),
    appendToStream(db, reportId, { event: 'stage.started', stage: 'conclusion', of: 1 }),
  ]);
  notifyOfProgress(db, reportId);
  return [run, weights] as const;
}

function outlineOf({ action, runtime }: Conclusion): ConcludedReport {
  return {
    action,
    mostLikelyOutcome: runtime.most_likely_outcome,
    conflict: runtime.consensus_market_conflict,
    degraded: runtime.degraded,
  };
}

function count(
  { reports, dropouts }: Metrics,
  { degraded }: ConcludedReport,
  lost: readonly Dropout[],
): void {
  reports.inc({ end: degraded ? 'degraded' : 'completed' });
  for (const { model, stage, kind } of lost) dropouts.inc({ model, stage, kind });
}

function countEvidence({ evidence, evidenceRemoved }: Metrics, found: Evidence | null): void {
  evidence.inc({ status: found?.status ?? 'off' });
  for (const [reason, removed] of Object.entries(found?.removed ?? {}))
    evidenceRemoved.inc({ reason }, removed);
}
