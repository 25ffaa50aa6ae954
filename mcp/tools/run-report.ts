import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CouncilProblem } from '../../client/council-problem.js';
import { centsOf, excessOf, quoteFrom } from '../../client/spending-limit.js';
import { describeCharge, formatUsd } from '../../contract/callers/price-text.js';
import { minMembersField } from '../../contract/parameters.js';
import {
  type CheckView,
  type ReceiptView,
  receiptShape,
  type SentPurchase,
} from '../../contract/purchase.js';
import { markdownOf } from '../../contract/report-text/report-markdown.js';
import { partsOf } from '../../contract/report-text/report-parts.js';
import type { ReportView } from '../../contract/reports.js';
import { quotedCreditsMax, quotedUsdCentsMax } from '../../purchase/limits.js';
import { reportNextStep, reportResultShape } from '../report-result.js';
import type { Call } from './call.js';
import { toolEventIdParameter, toolLaneParameter, waitParameter } from './parameters.js';
import { defineTool } from './tool.js';
import { ToolProblem } from './tool-problem.js';

export const runReport = defineTool({
  name: 'run_report',
  title: 'Run the council (spends credits)',
  description:
    'Runs the council on one event and returns report_id, status and the charge. THE ONLY TOOL THAT SPENDS: credits, or ' +
    'dollars on a metered subscription.\n' +
    'Use it only after check_report, after telling the user that price, and after they agreed. Do not use it to read or ' +
    'refresh a report, nor to get another answer: for one event and UTC day the account gets the same report, and a ' +
    'repeated or concurrent call charges nothing.\n' +
    'Never charges more than max_credits, nor bills more dollars than max_usd, without which it bills none: other prices ' +
    'are refused free of charge. A run takes 30 to 120 seconds and continues in the background: the call returns at ' +
    'once unless wait_seconds is given; then poll with get_report. A failed run is refunded or not billed. Needs the ' +
    'user’s API key. At most five fresh runs an hour. Cannot be undone.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    event_id: toolEventIdParameter,
    max_credits: z
      .int()
      .min(0)
      .max(quotedCreditsMax)
      .describe(
        'The most this may cost in credits: the price that the user agreed to. It allows no dollars.',
      ),
    max_usd: z
      .number()
      .min(0)
      .max(quotedUsdCentsMax / 100)
      .optional()
      .describe(
        'The most that a subscription may be billed, in US dollars, like 3.00: the price that the user agreed to. Without it no dollars are billed.',
      ),
    lane: toolLaneParameter,
    min_members: minMembersField,
    wait_seconds: waitParameter,
  }),
  output: z.object({
    event_id: z.string(),
    ...receiptShape.shape,
    report: reportResultShape.nullable(),
    next_step: z.string(),
  }),
  run: async ({ event_id, max_credits, max_usd, lane, min_members, wait_seconds }, call) => {
    const untilMs = Date.now() + wait_seconds * 1_000;
    const check = await call.api.reports.check(event_id, { lane, minMembers: min_members });
    assertWithinLimit(check, max_credits, max_usd);
    const receipt = await buy(
      { event_id, ...(min_members === undefined ? {} : { min_members }) },
      check,
      call,
    );
    const report = await readPurchased(receipt, call, untilMs);
    const result = report === null ? null : partsOf(report, []);
    const status = result?.status ?? receipt.status;
    return {
      ...receipt,
      event_id,
      status,
      report: result,
      next_step: reportNextStep({ report_id: receipt.report_id, status, lane: receipt.lane }),
    };
  },
  describe: ({ report, next_step, ...receipt }) =>
    [
      report === null ? `Report ${receipt.report_id}: ${receipt.status}.` : markdownOf(report),
      `Charged: ${describeCharge(receipt)} (lane ${receipt.lane}).`,
      `Next step: ${next_step}`,
    ].join('\n'),
});

/** Before the purchase: nothing is charged that the caller has not allowed in the unit of the lane. */
function assertWithinLimit(check: CheckView, maxCredits: number, maxUsd: number | undefined): void {
  const maxUsdCents = maxUsd === undefined ? null : centsOf(maxUsd);
  const { cost_credits, price_usd_cents = 0, lane } = check;
  switch (excessOf(check, { maxCredits, maxUsdCents })) {
    case null:
      return;
    case 'credits_over_limit':
    case 'credits_not_allowed':
      throw new ToolProblem(
        'over_max_credits',
        `The report costs ${cost_credits} credits, more than max_credits ${maxCredits}. Nothing was bought.`,
        { cost_credits, max_credits: maxCredits, lane },
      );
    case 'usd_over_limit':
      throw new ToolProblem(
        'over_max_usd',
        `The subscription would be billed ${formatUsd(price_usd_cents)}, more than max_usd ${maxUsd}. Nothing was bought.`,
        { price_usd_cents, lane },
      );
    case 'usd_not_allowed':
      throw new ToolProblem(
        'metered_lane_unconfirmed',
        'This account pays by subscription, in dollars, and the call allows none with max_usd. Nothing was bought.',
        { price_usd_cents, lane },
      );
  }
}

/**
 * Quotes the checked price on the checked lane, in the unit of the lane: the API charges the lower of the quote and the
 * current price, or nothing. The Idempotency-Key covers a lost response only. A call that the client repeats gets a new key,
 * which lets it buy a failed run again; otherwise event and UTC day lead it to the same report.
 */
function buy(
  wanted: Pick<SentPurchase, 'event_id' | 'min_members'>,
  check: CheckView,
  { api }: Call,
): Promise<ReceiptView> {
  const idempotencyKey = `mcp-${randomUUID()}`;
  return api.reports.buy({ ...wanted, ...quoteFrom(check) }, { idempotencyKey });
}

/**
 * Null if the caller did not wait or the report cannot be read now: a purchase must be confirmed in any case.
 */
async function readPurchased(receipt: ReceiptView, call: Call, untilMs: number): Promise<ReportView | null> {
  const hasEnded = receipt.status === 'completed';
  if (!hasEnded && untilMs <= Date.now()) return null;
  try {
    return await call.followReport(receipt.report_id, untilMs);
  } catch (error) {
    if (error instanceof CouncilProblem || call.signal.aborted) return null;
    throw error;
  }
}
