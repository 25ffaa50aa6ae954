import { createHash } from 'node:crypto';
import { log } from '@temporalio/activity';
import { type ConcludeInput, conclude } from '../../council/conclusion/conclude.js';
import type { Dropout } from '../../council/deliberation/members.js';
import { currentMethod } from '../../council/method.js';
import type { CouncilModel } from '../../council/models.js';
import { opinionPrompt } from '../../council/prompts/opinion-prompt.js';
import { freezeForecast } from '../../council/track-record/recorded-forecast.js';
import type { Db } from '../../db/database.js';
import { readWeightsInForce } from '../../db/estimate/weights.js';
import { completeReport } from '../../db/reports/complete-report.js';
import type { StoredAnswer } from '../../db/reports/deliberation.js';
import { readRunAndDeliberation } from '../../db/reports/run.js';
import { saltBytes } from '../../db/track-record/entry-hash.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { type Brief, briefOf } from './stage-reader.js';

export interface ConcludeDependencies {
  readonly db: Db;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly randomBytes: (count: number) => Buffer;
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
 * attempt computes the same, with another salt, unless other weights came into force; what was stored first counts.
 */
export async function concludeReport(
  { db, metrics, now, randomBytes }: ConcludeDependencies,
  { reportId, members, reviewers, chairman, dropouts }: CouncilResult,
): Promise<ConcludedReport> {
  const [run, weights] = await Promise.all([readRunAndDeliberation(db, reportId), readWeightsInForce(db)]);
  const { event, pricesAt, queriedMarket, seed, simulated } = run;
  if (event === null || queriedMarket === null || pricesAt === null) {
    throw new Error(`report ${reportId} has no market snapshot`);
  }
  const { opinions, reviews } = run.deliberation;
  const concludedAt = now();
  const input: ConcludeInput = {
    method: currentMethod,
    weights,
    event,
    pricesAt: pricesAt.toISOString(),
    quoteAgeSeconds: (concludedAt.getTime() - pricesAt.getTime()) / 1_000,
    queriedMarket,
    opinions: answersOf(opinions, members),
    reviews: answersOf(reviews, reviewers),
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
    promptSha256: promptHash(briefOf({ event, pricesAt, seed })),
    completedAt: concludedAt.toISOString(),
  });
  const concluded: ConcludedReport = {
    action: conclusion.action,
    mostLikelyOutcome: conclusion.runtime.most_likely_outcome,
    conflict: conclusion.runtime.consensus_market_conflict,
    degraded: conclusion.runtime.degraded,
  };
  const salt = randomBytes(saltBytes);
  if (await completeReport(db, reportId, { conclusion, dropouts, forecast, salt, now: concludedAt })) {
    count(metrics, concluded, dropouts);
    log.info('the report is completed', { reportId, ...concluded });
  }
  return concluded;
}

function count(
  { reports, dropouts }: Metrics,
  { degraded }: ConcludedReport,
  lost: readonly Dropout[],
): void {
  reports.inc({ end: degraded ? 'degraded' : 'completed' });
  for (const { model, stage, kind } of lost) dropouts.inc({ model, stage, kind });
}

/** The hash of the prompt that every member received at the first stage. */
function promptHash(brief: Brief): string {
  const { system, user } = opinionPrompt(brief);
  return createHash('sha256').update(`${system}\n\n${user}`, 'utf8').digest('hex');
}

/** Only the answers that arrived in time: a later one may be stored, but was not part of the council. */
export function answersOf<Answer>(
  answers: readonly StoredAnswer<Answer>[],
  counted: readonly CouncilModel[],
): Partial<Record<CouncilModel, Answer>> {
  return Object.fromEntries(
    answers.filter(({ model }) => counted.includes(model)).map(({ model, answer }) => [model, answer]),
  );
}
