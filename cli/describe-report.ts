import type { BetView, PositionView, ReportView, RuntimeView } from './api-shapes.js';
import type { Paint } from './paint.js';

/** A report as a person reads it on a terminal: what limits it first, then the verdict and what it rests on. */
export function describeReport(report: ReportView, paint: Paint): string {
  const { runtime } = report.council_config;
  const heading = paint.strong(`Report ${report.id}: ${report.event_title}`);
  if (report.failure !== null) return `${heading}\n${paint.bad(`FAILED: ${report.failure.detail}`)}`;
  if (runtime === null) return `${heading}\n${report.status}`;
  return [
    heading,
    ...warnings(runtime).map(paint.warning),
    '',
    `Most likely   ${paint.strong(`${runtime.most_likely_outcome}, ${runtime.most_likely_probability} %`)} (by the ${runtime.most_likely_source === 'council' ? 'council' : 'market'})`,
    `Verdict       ${paint.strong(report.action ?? 'none')} on “${report.queried_market}”: ${report.probability} %, confidence ${report.confidence}`,
    '',
    ...distribution(runtime),
    ...dissent(report.deliberation?.positions ?? []),
    '',
    ...bets(runtime.top_bets),
    '',
    report.summary ?? '',
    '',
    paint.faint(report.disclaimer),
  ].join('\n');
}

function warnings(runtime: RuntimeView): string[] {
  const lost = Object.entries(runtime.provider_failures).map(([model, text]) => `${model} ${text}`);
  return [
    ...(runtime.simulated ? ['SIMULATED: no language model was asked.'] : []),
    ...(runtime.consensus_market_conflict
      ? [
          'CONFLICT: the council disagrees hard with the market; the headline is the market’s, and no bet is suggested.',
        ]
      : []),
    ...(runtime.degraded ? [`DEGRADED: ${lost.join('; ')}.`] : []),
  ];
}

function distribution(runtime: RuntimeView): string[] {
  const rows = Object.entries(runtime.market_probabilities).sort(([, a], [, b]) => b - a);
  const width = Math.max(...rows.map(([name]) => name.length), 'Outcome'.length);
  return [
    `${'Outcome'.padEnd(width)}  council   market`,
    ...rows.map(([name, percent]) => {
      const market = runtime.market_implied_probabilities[name] ?? null;
      return `${name.padEnd(width)}  ${cell(percent)}  ${market === null ? 'no price' : cell(market)}`;
    }),
    ...(runtime.exclusive ? [] : ['Each is a yes/no question of its own: nothing adds up to 100.']),
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

function cell(percent: number): string {
  return `${percent.toFixed(1)} %`.padStart(7);
}

function bets(suggested: readonly BetView[]): string[] {
  if (suggested.length === 0) return ['No bet is suggested.'];
  return suggested.map(
    bet =>
      `${bet.kind === 'edge' ? 'Edge' : 'Pick'}: ${bet.side} “${bet.market}” at ${bet.share_cost} a share: wins with ${bet.win_probability} %, ` +
      `edge ${bet.edge_points} points, pays ${bet.payout_per_dollar} and returns ${bet.expected_return_per_dollar} a dollar.`,
  );
}
