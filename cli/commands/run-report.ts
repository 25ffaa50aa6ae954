import type { ReportView } from '../api-shapes.js';
import { asTyped } from '../as-typed.js';
import type { CouncilApi } from '../council-api.js';
import { describeReport } from '../describe-report.js';
import { exitCodes } from '../exit-codes.js';
import { explainFailure } from '../explain-failure.js';
import { Failure } from '../failure.js';
import type { Output } from '../output.js';

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
      next: `Try again: ${asTyped(`report run ${event.event_id}`)}. Operators: ${asTyped('doctor')} says which models would answer.`,
    });
  }
  output.result(
    { receipt, report },
    `\n${describeReport(report, output.paint)}\n\nCharged: ${receipt.credits_spent} credits.`,
  );
  output.next(`\nRead it again:  ${asTyped(`report show ${report.id}`)}`);
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
      next: `It goes on by itself, and is refunded if it fails. Read it: ${asTyped(`report show ${id}`)}`,
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
