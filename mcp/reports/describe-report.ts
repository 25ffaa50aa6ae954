import type { OpinionView, PositionView, ReviewView, SynthesisView } from '../../contract/deliberation.js';
import type { GradeView } from '../../contract/grade.js';
import type { MarketSnapshotView } from '../../contract/reports.js';
import type { BetView } from '../../contract/runtime.js';
import type { ReportAnswer } from './report-answer.js';

/** A report in words: what limits it first, then the verdict and what it rests on. */
export function describeReport(report: ReportAnswer): string {
  const heading = `Report ${report.report_id} on “${report.event_title}” (${report.event_id}): ${report.status}.`;
  const simulated = report.simulated ? ['SIMULATED: no language model was asked.'] : [];
  if (report.failure !== null) {
    return [heading, ...simulated, `Why: ${report.failure.detail}`].join('\n');
  }
  if (report.runtime === null) return [heading, ...simulated, ...progress(report)].join('\n');
  return [
    heading,
    ...simulated,
    ...limits(report.runtime),
    '',
    ...verdict(report, report.runtime),
    '',
    ...distribution(report.runtime),
    ...dissent(report.positions),
    '',
    ...bets(report.runtime.top_bets),
    '',
    `Summary by the chairman (${report.runtime.chairman}): ${report.summary ?? 'none'}`,
    ...describeGrade(report.grade),
    ...describeSections(report),
    '',
    report.disclaimer,
  ].join('\n');
}

type Runtime = NonNullable<ReportAnswer['runtime']>;

function progress({ progress: now }: ReportAnswer): string[] {
  return now === null ? [] : [`At ${now.stage}: ${now.done} of ${now.of} models have answered.`];
}

function limits(runtime: Runtime): string[] {
  const lost = Object.entries(runtime.provider_failures).map(([model, text]) => `${model} ${text}`);
  return [
    ...(runtime.consensus_market_conflict
      ? [
          'CONFLICT: the council disagrees hard with the market. The headline is the market’s, no bet is suggested, and none should be drawn from the distribution.',
        ]
      : []),
    ...(runtime.degraded
      ? [`DEGRADED: ${lost.join('; ')}. Only ${runtime.models.join(', ')} took part.`]
      : []),
  ];
}

function verdict(report: ReportAnswer, runtime: Runtime): string[] {
  const by = runtime.most_likely_source === 'council' ? 'by the council' : 'by the market’s prices';
  return [
    `Most likely: ${runtime.most_likely_outcome}, ${runtime.most_likely_probability} % (${by}).`,
    `Verdict on “${report.queried_market}” alone: ${report.action}, probability ${report.probability} %.`,
    `Confidence ${report.confidence} of at most 85: how much weight the council’s number deserves, not a chance of being right.`,
    `Prices of ${runtime.prices_at}.`,
  ];
}

function distribution(runtime: Runtime): string[] {
  const rows = Object.entries(runtime.market_probabilities).sort(([, a], [, b]) => b - a);
  return [
    'Outcome: council %, market %',
    ...rows.map(([name, council]) => {
      const market = runtime.market_implied_probabilities[name] ?? 'no price';
      return `- ${name}: ${council}, ${market}`;
    }),
    ...(runtime.exclusive ? [] : ['Each is a yes/no question of its own: they do not add up to 100.']),
  ];
}

function dissent(positions: readonly PositionView[]): string[] {
  return positions
    .filter(({ dissents }) => dissents)
    .map(
      ({ model, most_likely_outcome: outcome, most_likely_probability: percent, distance_points: points }) =>
        `Dissent: ${model} holds ${outcome} at ${percent} % for most likely, ${points} points from the council.`,
    );
}

function bets(suggested: readonly BetView[]): string[] {
  if (suggested.length === 0) return ['No bet is suggested.'];
  return suggested.map(
    bet =>
      `${bet.kind === 'edge' ? 'Edge (claims a mispricing)' : 'Pick (the favourite at a fair price, no mispricing claimed)'}: ` +
      `${bet.side} “${bet.market}” at ${bet.share_cost.toFixed(3)} USD a share, fee included; wins with ${bet.win_probability} %, ` +
      `edge ${bet.edge_points} points; a dollar returns ${signed(bet.expected_return_per_dollar)} on average, ` +
      `${signed(bet.payout_per_dollar)} if it wins.`,
  );
}

function signed(dollars: number): string {
  return `${dollars < 0 ? '' : '+'}${dollars.toFixed(2)}`;
}

/** How the report turned out, once its event is over; nothing before. */
function describeGrade(grade: GradeView | null): string[] {
  if (grade === null) return [];
  if (grade.scores === null) return [`Outcome: ${grade.state}, so the report has no score.`];
  const { council, market, outcomes } = grade.scores;
  const happened = outcomes.filter(outcome => outcome.happened === 1).map(({ name }) => name);
  return [
    `Outcome: ${happened.join(', ') || 'none of them'}. Brier score (0 is perfect): council ${council?.brier ?? 'none'}, ` +
      `market at the same moment ${market?.brier ?? 'none'}. One report shows no skill: see get_track_record.`,
  ];
}

/** The parts of a report that were asked for beyond its verdict. */
function describeSections(report: ReportAnswer): string[] {
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
