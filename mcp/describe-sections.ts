import type { OpinionView, ReviewView, SynthesisView } from '../contract/deliberation.js';
import type { MarketSnapshotView } from '../contract/reports.js';
import type { ReportAnswer } from './report-answer.js';

/** The parts of a report that were asked for beyond its verdict. */
export function describeSections(report: ReportAnswer): string[] {
  const { synthesis, opinions, cross_review: review, market_snapshot: snapshot, method } = report;
  return [
    ...(synthesis ? section('Synthesis', describeSynthesis(synthesis)) : []),
    ...(opinions ? section('Opinions, given without seeing a price', opinions.flatMap(describeOpinion)) : []),
    ...(review ? section('Cross-review, anonymous', review.reviews.flatMap(describeReview)) : []),
    ...(review
      ? section(
          'Ranking by the others',
          review.aggregate_ranking.map(
            ({ model, rank, score }) => `${rank}. ${model} (Borda score ${score} of 1)`,
          ),
        )
      : []),
    ...(snapshot ? section(`Market, frozen ${snapshot.taken_at}`, snapshot.markets.map(describeMarket)) : []),
    ...(method ? section(`Method ${method.name}`, [method.pooling, JSON.stringify(method.thresholds)]) : []),
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
    `### ${model} (${model_id}): ${numbers(distribution)}; own confidence ${confidence}`,
    rationale,
    ...evidence.map(text => `- ${text}`),
  ];
}

function describeReview({ model, critiques, revised_distribution, revised_confidence }: ReviewView) {
  return [
    `### ${model}, after reading the others: ${numbers(revised_distribution)}; own confidence ${revised_confidence}`,
    ...critiques.map(each => `- of ${each.model}: for it, ${each.strengths} Against it, ${each.weaknesses}`),
  ];
}

function describeMarket(market: MarketSnapshotView['markets'][number]): string {
  const { market: name, status, best_bid: bid, best_ask: ask, volume } = market;
  return `- ${name}: ${status}, bid ${bid ?? 'none'}, ask ${ask ?? 'none'}, volume ${Math.round(volume)} USD`;
}

function numbers(distribution: OpinionView['distribution']): string {
  return distribution.map(({ outcome, probability }) => `${outcome} ${probability} %`).join(', ');
}
