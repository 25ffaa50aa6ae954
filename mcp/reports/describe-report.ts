import { estimateFormula, formulaTerms, numberLines, shownNumbers } from '../../client/estimate-text.js';
import { didNotSearch, factLine, searchLines, sourceLine } from '../../client/evidence-text.js';
import { gradeLines } from '../../client/grade-text.js';
import {
  betLines,
  chairmanText,
  dissentLines,
  indented,
  independenceNote,
  limitWarnings,
  outcomeRows,
  simulatedWarning,
} from '../../client/report-text.js';
import type { OpinionView, ReviewView, SynthesisView } from '../../contract/deliberation.js';
import type { MarketSnapshotView } from '../../contract/reports.js';
import { oneLine } from '../../council/text.js';
import type { ReportResult } from './report-result.js';

/** A report as text: first what limits it, then the verdict and its basis. */
export function describeReport(report: ReportResult): string {
  const heading = `Report ${report.report_id} on “${report.event_title}” (${report.event_id}): ${report.status}.`;
  const simulated = report.simulated ? [simulatedWarning] : [];
  if (report.failure !== null) {
    return [heading, ...simulated, `Why: ${report.failure.detail}`].join('\n');
  }
  if (report.runtime === null) return [heading, ...simulated, ...describeProgress(report)].join('\n');
  return [
    heading,
    ...simulated,
    ...limitWarnings(report.runtime, report.evidence),
    '',
    ...verdict(report, report.runtime),
    '',
    ...outcomes(report.runtime),
    ...numberLines(report.runtime),
    ...independenceNote(report.runtime),
    ...dissentLines(report.positions),
    '',
    ...betLines(report.runtime),
    '',
    `Summary by the chairman (${chairmanText(report.runtime)}):`,
    indented(report.summary ?? 'none'),
    ...searchLines(report.evidence, report.runtime.evidence?.items ?? 0),
    ...gradeLines(report.grade, 'get_track_record'),
    ...describeSections(report),
    '',
    report.disclaimer,
  ].join('\n');
}

type Runtime = NonNullable<ReportResult['runtime']>;

/** Every outcome with its numbers in percent. */
function outcomes(runtime: Runtime): string[] {
  const numbers = shownNumbers(runtime);
  return [
    `Outcome: ${numbers.map(name => `${name} %`).join(', ')}`,
    ...outcomeRows(runtime).map(
      row => `- ${row.name}: ${numbers.map(name => row[name] ?? 'none').join(', ')}`,
    ),
  ];
}

function describeProgress({ progress }: ReportResult): string[] {
  if (progress === null) return [];
  const { stage, done, of } = progress;
  return [`Stage ${stage}: ${done} of ${of} models have answered.`];
}

function verdict(report: ReportResult, runtime: Runtime): string[] {
  const by = runtime.most_likely_source === 'council' ? 'by the council' : 'by the market’s prices';
  return [
    `Most likely: ${runtime.most_likely_outcome}, ${runtime.most_likely_probability} % (${by}).`,
    `Verdict on “${report.queried_market}” alone: ${report.action}, probability of YES ${report.probability} % (${by}).`,
    `Confidence ${report.confidence} of at most 85: how much weight the council’s number deserves, not a chance of being right.`,
    `Prices of ${runtime.prices_at}.`,
  ];
}

/** The requested sections. */
function describeSections(report: ReportResult): string[] {
  const { synthesis, opinions, sources, cross_review: review, market_snapshot: snapshot } = report;
  return [
    ...(synthesis ? section('Synthesis', describeSynthesis(synthesis)) : []),
    ...(opinions
      ? section('Opinions, formed without seeing a price', opinions.flatMap(describeOpinion))
      : []),
    ...(sources ? section('Sources', describeSources(report, sources)) : []),
    ...(review ? section('Cross-review, anonymous', review.reviews.flatMap(describeReview)) : []),
    ...(review
      ? section(
          'Ranking by the others',
          review.aggregate_ranking.map(
            ({ model, rank, score }) => `${rank}. ${model} (Borda score ${score} of 1)`,
          ),
        )
      : []),
    ...(snapshot ? section(`Market at ${snapshot.taken_at}`, snapshot.markets.map(describeMarket)) : []),
    ...describeMethod(report),
  ];
}

function describeMethod({ method, runtime }: ReportResult): string[] {
  if (method === undefined) return [];
  const estimate = runtime?.estimate ?? null;
  return section(`Method ${method.name}`, [
    method.pooling,
    ...(estimate === null ? [] : describeWeights(estimate, method.thresholds)),
    JSON.stringify(method.thresholds),
  ]);
}

function describeWeights(
  estimate: NonNullable<Runtime['estimate']>,
  thresholds: NonNullable<ReportResult['method']>['thresholds'],
): string[] {
  const { method, weights } = estimate;
  return [
    `${method}: ${estimateFormula(estimate, thresholds)}. ${formulaTerms}`,
    `Weights ${weights.id}, SHA-256 ${weights.sha256}.`,
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `## ${title}`, ...lines];
}

function describeSynthesis({ agreements, disagreements, key_uncertainties }: SynthesisView): string[] {
  return [
    ...agreements.map(text => `- agreed: ${text}`),
    ...disagreements.map(text => `- disagreed: ${text}`),
    ...key_uncertainties.map(text => `- uncertain: ${text}`),
  ];
}

function describeOpinion({ model, model_id, distribution, confidence, rationale, evidence }: OpinionView) {
  return [
    `### ${model} (${model_id}): ${percentages(distribution)}; own confidence ${confidence}`,
    indented(rationale),
    ...evidence.map(fact => `- ${factLine(fact)}`),
  ];
}

function describeSources(
  { evidence }: ReportResult,
  sources: NonNullable<ReportResult['sources']>,
): string[] {
  if (evidence === null) return [didNotSearch];
  return sources.length === 0 ? ['none'] : sources.flatMap(describeSource);
}

/** A report can have dozens of sources; everything cited to them would fill as much context as the opinions. */
const citedShownChars = 200;

function describeSource(source: NonNullable<ReportResult['sources']>[number]): string[] {
  return [sourceLine(source), `  “${oneLine(source.text, citedShownChars)}”`];
}

function describeReview({ model, critiques, revised_distribution, revised_confidence }: ReviewView) {
  return [
    `### ${model}, after reading the others: ${percentages(revised_distribution)}; own confidence ${revised_confidence}`,
    ...critiques.map(
      each => `- on ${each.model}: strengths: ${each.strengths} Weaknesses: ${each.weaknesses}`,
    ),
  ];
}

function describeMarket(market: MarketSnapshotView['markets'][number]): string {
  const { market: name, status, best_bid: bid, best_ask: ask, volume } = market;
  return `- ${name}: ${status}, bid ${bid ?? 'none'}, ask ${ask ?? 'none'}, volume ${Math.round(volume)} USD`;
}

function percentages(distribution: OpinionView['distribution']): string {
  return distribution.map(({ outcome, probability }) => `${outcome} ${probability} %`).join(', ');
}
