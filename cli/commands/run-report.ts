import type { BetView, PositionView, ReportView, RuntimeView } from '../connections/api-shapes.js';
import type { CouncilApi } from '../connections/council-api.js';
import { commandLine } from '../groups/command-line.js';
import { explainFailure } from '../terminal/explain-failure.js';
import { exitCodes, Failure } from '../terminal/failure.js';
import type { Output, Paint } from '../terminal/output.js';

/** How long one answer may be held back while a report runs. */
const waitSeconds = 20;
const alternativesShown = 5;

/**
 * Finds the event, says what it costs, buys at that price and no other, follows the run, and prints the verdict.
 * @throws Failure when nothing is found, the price is above the limit, or the run failed (and was refunded).
 */
export async function runReport(
  api: CouncilApi,
  output: Output,
  wish: { words: string; maxCredits: number | null },
): Promise<void> {
  const event = await chooseEvent(api, output, wish.words);
  output.progress(`Event   ${event.title} (${event.event_id})`);
  const check = await api.checkReport(event.event_id);
  output.progress(`Price   ${describePrice(check)}`);
  demandPrice(check.cost_credits, wish.maxCredits);
  const receipt = await api.buyReport(event.event_id, { quotedCredits: check.cost_credits });
  output.progress(
    `Bought  report ${receipt.report_id} for ${receipt.credits_spent} credits (${receipt.pool?.replace('_', ' ') ?? receipt.lane}); it goes on when this command is ended`,
  );
  const report = await follow(api, output, receipt.report_id);
  if (report.failure !== null) {
    throw new Failure(`The run failed: ${report.failure.detail} Your credits were given back.`, {
      next: `Try again: ${commandLine(`report run ${event.event_id}`)}. Operators: ${commandLine('doctor')} says which models would answer.`,
    });
  }
  output.result(
    { receipt, report },
    `\n${describeReport(report, output.paint)}\n\nCharged: ${receipt.credits_spent} credits.`,
  );
  output.next(`\nRead it again:  ${commandLine(`report show ${report.id}`)}`);
  output.next(`In the browser: ${api.browserUrl(report.id)}`);
}

async function chooseEvent(api: CouncilApi, output: Output, words: string) {
  const byId = /\s/.test(words) ? null : await api.findEvent(words);
  if (byId !== null) return byId;
  const [best, ...others] = await api.searchEvents(words, alternativesShown);
  if (best === undefined) {
    throw new Failure(`No open event matches “${words}”.`, {
      next: `Try fewer or other words; ${api.browserUrl()} lists what can be asked.`,
    });
  }
  for (const other of others) output.progress(`also found: ${other.title} (${other.event_id})`);
  return best;
}

function describePrice(check: {
  cost_credits: number;
  has_cached_report: boolean;
  already_purchased: boolean;
}): string {
  if (check.already_purchased) return 'nothing: this report is already yours';
  return `${check.cost_credits} credits${check.has_cached_report ? ", for today's cached report" : ''}`;
}

function demandPrice(costCredits: number, maxCredits: number | null): void {
  if (maxCredits === null || costCredits <= maxCredits) return;
  throw new Failure(
    `It costs ${costCredits} credits, more than --max-credits ${maxCredits}. Nothing was bought.`,
    {
      next: `Allow more with --max-credits ${costCredits}, or try later: the price follows what runs cost.`,
      exitCode: exitCodes.refused,
    },
  );
}

/** From here on the report is bought: whatever happens to this command, its reader is told where it is. */
async function follow(api: CouncilApi, output: Output, id: number): Promise<ReportView> {
  try {
    return await watch(api, output, id);
  } catch (error) {
    const { message } = explainFailure(error);
    throw new Failure(`Report ${id} is bought, and could not be followed to its end: ${message}`, {
      next: `It goes on by itself, and is refunded if it fails. Read it: ${commandLine(`report show ${id}`)}`,
      cause: error,
    });
  }
}

async function watch(api: CouncilApi, output: Output, id: number): Promise<ReportView> {
  for (let first = true; ; first = false) {
    const report = await api.readReport(id, first ? 0 : waitSeconds);
    if (report.progress === null) return report;
    const { stage, done, of, answered } = report.progress;
    output.status(`        ${stage.replace('_', '-').padEnd(12)} ${done} of ${of}  ${answered.join(', ')}`);
  }
}

export async function showReport(api: CouncilApi, output: Output, id: number): Promise<void> {
  const report = await api.readReport(id, 0);
  output.result(report, describeReport(report, output.paint));
  if (report.progress !== null)
    output.next(`It is not done yet. Look again: ${commandLine(`report show ${id}`)}`);
  output.next(`In the browser: ${api.browserUrl(id)}`);
}

/** A report as a person reads it on a terminal: what limits it first, then the verdict and what it rests on. */
function describeReport(report: ReportView, paint: Paint): string {
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
