import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { quoteFrom, type SpendingLimit } from '../../client/spending-limit.js';
import type { ReportProgress } from '../../client/wait-for-report.js';
import {
  describeCharge,
  describePrice,
  describeRefund,
  isCached,
  isOwned,
} from '../../contract/callers/price-text.js';
import type { ReceiptView } from '../../contract/purchase.js';
import { reportMarkdown } from '../../contract/report-text/report-markdown.js';
import type { ReportView } from '../../contract/reports.js';
import { type Venue, venues } from '../../council/event.js';
import type { Lane } from '../../purchase/purchase.js';
import { lanes } from '../../purchase/purchase.js';
import type { CommandContext } from '../command-context.js';
import type { CouncilApi } from '../connections/council-api.js';
import { commandLine, dollarsAsCents, examples, wholeNumber } from '../terminal/command-line.js';
import { explainFailure } from '../terminal/explain-failure.js';
import { Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';
import { assertWithinLimit } from './assert-within-limit.js';
import { describeEvent, findEvent, type WantedEvent } from './find-event.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  registerRun(group, context);
  registerShow(group, context);
}

function registerRun(group: Command, context: CommandContext): void {
  group
    .command('run')
    .description(
      'Finds an event, shows the price, buys a report at that price, shows the progress of each stage and prints the verdict. Dollars are billed only within --max-usd. A failed run is refunded or not billed. The run continues if this command is interrupted.',
    )
    .summary('find an event, show the price, run the council and print its verdict')
    .argument(
      '<search or event id>',
      'an event id, the address of its page at Polymarket or Kalshi, or text to search for',
    )
    .addOption(
      new Option('--venue <venue>', 'the venue of the event; by default all are searched').choices(venues),
    )
    .addOption(
      new Option(
        '--lane <lane>',
        'how to pay; by default with the subscription if there is one, otherwise with credits',
      ).choices(lanes),
    )
    .addOption(
      new Option(
        '--min-members <n>',
        'the fewest opinions; a run with fewer fails and is refunded, and no cached report with fewer is bought',
      ).choices(['2', '3', '4']),
    )
    .option('--max-credits <n>', 'the highest price in credits to accept', wholeNumber)
    .option(
      '--max-usd <dollars>',
      'the highest price in dollars to accept, which only a subscription bills; without it, no dollars are billed',
      dollarsAsCents,
    )
    .addHelpText(
      'after',
      examples(
        'report run "fed cut"',
        'report run sample-fed-cut-2031 --lane credits --max-credits 150 --json',
        'report run "fed cut" --lane subscription --max-usd 3',
        'report run "fed cut" --min-members 4',
        'report run "fed cut" --venue kalshi',
        'report run kalshi:KXFED-26DEC --max-credits 150',
      ),
    )
    .action(async (words: string, options: ReportOptions) => {
      await runReport(context.customer(), context.output, runOptions(words, options));
    });
}

function registerShow(group: Command, context: CommandContext): void {
  group
    .command('show')
    .description(
      'Prints a report of the account in Markdown: numbers, verdict, bets, base rates, what would change it, and opinions with their sources.',
    )
    .summary('print a report')
    .argument('<id>', 'the number of the report', wholeNumber)
    .addHelpText('after', examples('report show 7', 'report show 7 --json'))
    .action(async (id: number) => {
      await showReport(context.customer(), context.output, id);
    });
}

interface ReportOptions {
  readonly venue?: Venue;
  readonly lane?: Lane;
  readonly minMembers?: string;
  readonly maxCredits?: number;
  readonly maxUsd?: number;
}

function runOptions(words: string, options: ReportOptions): RunOptions {
  const { venue, lane, minMembers, maxCredits = null, maxUsd: maxUsdCents = null } = options;
  const fewest = minMembers === undefined ? undefined : Number(minMembers);
  return { words, venue, lane, minMembers: fewest, maxCredits, maxUsdCents };
}

interface RunOptions extends SpendingLimit, WantedEvent {
  /** Undefined: the default of the API. */
  readonly lane: Lane | undefined;
  /** Undefined: the default of the API. */
  readonly minMembers: number | undefined;
}

/**
 * Finds the event, prints the price, buys the report on the checked lane with the checked price as its quote, follows
 * the run, and prints the verdict.
 * @throws Failure if no event matches, the price is not within the limit, or the run failed
 */
async function runReport(
  api: CouncilApi,
  output: Output,
  { words, venue, lane, minMembers, ...limit }: RunOptions,
): Promise<void> {
  const event = await findEvent(api, output, { words, venue });
  output.progress(`Event   ${describeEvent(event)}`);
  const check = await api.reports.check(event.event_id, { lane, minMembers });
  output.progress(`Price   ${describePrice(check)}${isCached(check) ? ", for today's cached report" : ''}`);
  assertWithinLimit(check, limit);
  const purchase = {
    event_id: event.event_id,
    ...quoteFrom(check),
    ...(minMembers === undefined ? {} : { min_members: minMembers }),
  };
  const receipt = await api.reports.buy(purchase, { idempotencyKey: `cli-${randomUUID()}` });
  output.progress(describeReceipt(receipt));
  const report = await follow(api, output, receipt);
  if (report.failure !== null) {
    throw new Failure(`The run failed: ${report.failure.detail} ${describeRefund(receipt)}`, {
      next: `Try again: ${commandLine(`report run ${event.event_id}`)}. Operators: ${commandLine('doctor')} checks which models respond.`,
    });
  }
  output.result({ receipt, report }, `\n${printed(report, output)}\n\nCharged: ${describeCharge(receipt)}.`);
  output.next(`\nRead it again:  ${commandLine(`report show ${report.id}`)}`);
  output.next(`In the browser: ${api.browserUrl(report.id)}`);
}

async function showReport(api: CouncilApi, output: Output, id: number): Promise<void> {
  const report = await api.reports.get(id);
  output.result(report, printed(report, output));
  if (report.progress !== null) {
    output.next(`The run is in progress. Check again: ${commandLine(`report show ${id}`)}`);
  }
  output.next(`In the browser: ${api.browserUrl(id)}`);
}

/** The report in Markdown, with its headings in bold on a terminal. */
function printed(report: ReportView, { paint }: Output): string {
  return reportMarkdown(report, ['opinions', 'sources', 'method']).replace(/^#.*/gm, paint.strong);
}

function describeReceipt(receipt: ReceiptView): string {
  const { report_id: id, status } = receipt;
  if (isOwned(receipt)) return `Owned   report ${id}: nothing was charged`;
  const bought = `Bought  report ${id} for ${describeCharge(receipt)}`;
  return status === 'completed' ? bought : `${bought}; the run continues if you stop this command`;
}

/** The report is bought by now, so every failure says where to find it. */
async function follow(api: CouncilApi, output: Output, receipt: ReceiptView): Promise<ReportView> {
  const { report_id: id, pool } = receipt;
  try {
    return await api.reports.wait(id, { onProgress: progress => showProgress(output, progress) });
  } catch (error) {
    const { message } = explainFailure(error);
    throw new Failure(`Report ${id} is bought, but this command lost track of it: ${message}`, {
      next: `The run continues, and ${pool === null ? 'is billed only if it completes' : 'is refunded if it fails'}. Read it: ${commandLine(`report show ${id}`)}`,
      cause: error,
    });
  }
}

function showProgress(output: Output, { stage, done, of, answered }: ReportProgress): void {
  output.status(`        ${stage.replace('_', '-').padEnd(12)} ${done} of ${of}  ${answered.join(', ')}`);
}
