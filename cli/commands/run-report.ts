import type { ReportView } from '../api-shapes.js';
import type { CouncilApi } from '../council-api.js';
import { describeReport } from '../describe-report.js';
import type { Output } from '../output.js';

/** How long one answer may be held back while a report runs. */
const waitSeconds = 20;
const alternativesShown = 5;

/**
 * Finds the event, says what it costs, buys at that price and no other, follows the run, and prints the verdict.
 * @throws Error when nothing is found, the price is above the limit, or the run failed (and was refunded).
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
  if (wish.maxCredits !== null && check.cost_credits > wish.maxCredits) {
    throw new Error(
      `It costs ${check.cost_credits} credits, more than --max-credits ${wish.maxCredits}. Nothing was bought.`,
    );
  }
  const receipt = await api.buyReport(event.event_id, { quotedCredits: check.cost_credits });
  output.progress(
    `Bought  report ${receipt.report_id} for ${receipt.credits_spent} credits (${receipt.pool?.replace('_', ' ') ?? receipt.lane})`,
  );
  const report = await follow(api, output, receipt.report_id);
  if (report.failure !== null) {
    throw new Error(`The run failed: ${report.failure.detail} Your credits were given back.`);
  }
  output.result(
    { receipt, report },
    `\n${describeReport(report)}\n\nCharged: ${receipt.credits_spent} credits.`,
  );
}

async function chooseEvent(api: CouncilApi, output: Output, words: string) {
  const byId = /\s/.test(words) ? null : await api.findEvent(words);
  if (byId !== null) return byId;
  const [best, ...others] = await api.searchEvents(words, alternativesShown);
  if (best === undefined) throw new Error(`No open event matches “${words}”.`);
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

async function follow(api: CouncilApi, output: Output, id: number): Promise<ReportView> {
  let last = '';
  for (;;) {
    const report = await api.readReport(id, last === '' ? 0 : waitSeconds);
    if (report.progress === null) return report;
    const { stage, done, of, answered } = report.progress;
    const line = `        ${stage.replace('_', '-').padEnd(12)} ${done} of ${of}  ${answered.join(', ')}`;
    if (line !== last) output.progress(line);
    last = line;
  }
}
