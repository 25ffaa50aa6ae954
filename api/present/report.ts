import type { ReportView as ReportAnswer, ReportSummaryView } from '../../contract/reports.js';
import { stages } from '../../council/deliberation.js';
import { dropoutText } from '../../council/dropout.js';
import { runFailures } from '../../council/run-failure.js';
import type { OwnedReportRow } from '../../db/reports.js';
import type { ReportView } from '../wait-for-report.js';
import { presentDeliberation } from './deliberation.js';
import { presentGrade } from './grade.js';
import { presentMarketSnapshot } from './market-snapshot.js';

/** The four short names, in the order of the specification. */
const requestedModels = ['grok', 'claude', 'gpt', 'gemini'] as const;

const disclaimer =
  'A forecast by language models, not financial advice. Models are often wrong together, and prices move.';
const simulatedDisclaimer = `SIMULATED: no language model was asked; every answer was made up by a program. ${disclaimer}`;

/** What a listing says of a report. */
export function presentReportSummary(report: OwnedReportRow): ReportSummaryView {
  return {
    id: report.id,
    event_id: report.eventId,
    event_title: report.eventTitle,
    status: report.status,
    queried_market: report.queriedMarket,
    action: report.conclusion?.action ?? null,
    probability: report.conclusion?.probability ?? null,
    confidence: report.conclusion?.confidence ?? null,
    lane: report.lane,
    cached: report.bought === 'cached',
    simulated: report.simulated,
    api_key_id: report.apiKeyId,
    created_at: report.createdAt.toISOString(),
    completed_at: report.status === 'completed' ? (report.endedAt?.toISOString() ?? null) : null,
  };
}

/** The whole report (specification, and `contract` §7). */
export function presentReport({
  report,
  deliberation,
  market,
  grade,
  record,
  answered,
}: ReportView): ReportAnswer {
  const running = report.status === 'pending' || report.status === 'processing';
  return {
    ...presentReportSummary(report),
    summary: deliberation?.syntheses[0]?.answer.summary ?? null,
    council_config: {
      requested: { models: requestedModels },
      runtime: report.conclusion?.runtime ?? null,
    },
    deliberation:
      deliberation === null || report.conclusion === null
        ? null
        : presentDeliberation(deliberation, report.conclusion),
    market_snapshot:
      market === null || report.conclusion === null
        ? null
        : presentMarketSnapshot(market, report.conclusion.runtime.prices_at),
    progress: running
      ? {
          stage: report.stage ?? stages[0],
          done: answered.length,
          of: report.stageOf ?? requestedModels.length,
          answered,
        }
      : null,
    failure: report.failure === null ? null : { code: report.failure, detail: runFailures[report.failure] },
    dropouts: (report.dropouts ?? []).map(dropout => ({
      model: dropout.model,
      stage: dropout.stage,
      kind: dropout.kind,
      detail: dropoutText(dropout),
    })),
    grade: grade === null ? null : presentGrade(grade),
    record,
    disclaimer: report.simulated ? simulatedDisclaimer : disclaimer,
  };
}
