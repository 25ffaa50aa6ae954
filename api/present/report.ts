import { yesOutcome } from '../../contract/report-text/leading-number.js';
import type { ReportSummaryView, ReportView } from '../../contract/reports.js';
import type { BetView, RuntimeView } from '../../contract/runtime.js';
import { dropoutText } from '../../council/deliberation/members.js';
import { progressStages } from '../../council/deliberation/stages.js';
import type { MarketEvent } from '../../council/event.js';
import { areFeesUnknown } from '../../council/market/prices.js';
import { rulesOf } from '../../council/market/rules.js';
import { type Bet, hasEnded, type RunFailureCode, type Runtime, runFailures } from '../../council/report.js';
import type { OwnedReportRow } from '../../db/reports/reports.js';
import type { ViewedReport } from '../reading/view-report.js';
import { presentDeliberation } from './deliberation.js';
import { presentMarketSnapshot } from './market-snapshot.js';
import { noRulesChanges, rulesChanges } from './rules-changes.js';
import { presentGrade } from './track-record.js';

/** The order is public and never changes: not the order of `councilModels`. */
export const requestedModels = ['grok', 'claude', 'gpt', 'gemini'] as const;

const disclaimer =
  'A forecast by language models, not financial advice. Models are often wrong together, and prices move.';
const simulatedDisclaimer = `SIMULATED: no language model was asked; every answer was made up by a program. ${disclaimer}`;

export function presentReportSummary(report: OwnedReportRow): ReportSummaryView {
  return {
    id: report.id,
    event_id: report.eventId,
    event_title: report.eventTitle,
    status: report.status,
    queried_market: report.queriedMarket,
    action: report.conclusion?.action ?? null,
    probability: report.conclusion?.probability ?? null,
    estimate: queriedEstimate(report),
    confidence: report.conclusion?.confidence ?? null,
    lane: report.lane,
    cached: report.bought === 'cached',
    simulated: report.simulated,
    api_key_id: report.apiKeyId,
    created_at: report.createdAt.toISOString(),
    completed_at: report.status === 'completed' ? (report.endedAt?.toISOString() ?? null) : null,
  };
}

/** Why a run failed. */
export function presentFailure(code: RunFailureCode) {
  return { code, detail: runFailures[code] };
}

function queriedEstimate({ conclusion, queriedMarket }: OwnedReportRow): number | null {
  if (conclusion === null) return null;
  const yes = yesOutcome(conclusion.runtime, queriedMarket);
  return yes === null ? null : (conclusion.runtime.estimate?.probabilities[yes] ?? null);
}

export function presentReport({
  report,
  deliberation,
  market,
  grade,
  laterRules,
  record,
}: ViewedReport): ReportView {
  const changes = market === null ? noRulesChanges : rulesChanges(rulesOf(market), laterRules);
  return {
    ...presentReportSummary(report),
    summary: deliberation?.syntheses[0]?.answer.summary ?? null,
    council_config: {
      requested: { models: requestedModels },
      runtime: report.conclusion && presentRuntime(report.conclusion.runtime, market),
    },
    deliberation:
      deliberation === null || report.conclusion === null
        ? null
        : presentDeliberation(deliberation, report.conclusion),
    market_snapshot:
      market === null || report.conclusion === null
        ? null
        : presentMarketSnapshot(market, report.conclusion.runtime.prices_at),
    ...(report.otherVenue === null ? {} : { other_venue: report.otherVenue }),
    progress: !hasEnded(report.status)
      ? {
          stage: report.stage ?? progressStages[0],
          done: report.answered.length,
          of: report.stageOf ?? requestedModels.length,
          answered: report.answered,
        }
      : null,
    failure: report.failure && presentFailure(report.failure),
    dropouts: (report.dropouts ?? []).map(dropout => ({
      model: dropout.model,
      stage: dropout.stage,
      kind: dropout.kind,
      detail: dropoutText(dropout),
    })),
    grade: grade === null ? null : presentGrade(grade, changes.until(grade.gradedAt)),
    rules_changed_at: changes.firstAt?.toISOString() ?? null,
    record,
    disclaimer: report.simulated ? simulatedDisclaimer : disclaimer,
  };
}

/** A report of `council/1` has none of the added numbers. @param market as it was frozen */
export function presentRuntime(runtime: Runtime, market: MarketEvent | null): RuntimeView {
  const { subject = null, outside_view = [], resolution_risk = null, market_gap = null } = runtime;
  const top_bets = runtime.top_bets.map(presentBet);
  const best_edge = top_bets[0] ?? null;
  const bets_missing = market !== null && areFeesUnknown(market) ? 'unknown_fee' : null;
  return {
    ...runtime,
    top_bets,
    bets_missing,
    best_edge,
    subject,
    outside_view,
    resolution_risk,
    market_gap,
  };
}

function presentBet(bet: Bet): BetView {
  return { ...bet, stake_fraction: bet.stake_fraction ?? null };
}
