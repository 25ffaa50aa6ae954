import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type CheckView, type ReceiptView, receiptShape } from '../../contract/purchase.js';
import type { ReportView } from '../../contract/reports.js';
import { quotedCreditsMax } from '../../council/limits.js';
import { describeReport } from '../reports/describe-report.js';
import { followReport } from '../reports/follow-report.js';
import { nextStepWith, reportAnswerOf, reportAnswerShape } from '../reports/report-answer.js';
import { eventIdParameter, toolLaneParameter, waitParameter } from './parameters.js';
import { meteredUsdCents } from './price.js';
import { type Call, defineTool } from './tool.js';
import { ToolProblem } from './tool-problem.js';

export const runReport = defineTool({
  name: 'run_report',
  title: 'Run the council (spends credits)',
  description:
    'Puts one event before the council and returns report_id, status and what was charged. THE ONLY TOOL THAT SPENDS: ' +
    'credits, or dollars on a metered subscription.\n' +
    'Use it only after check_report, after telling the user that price, and after their yes. Do not use it to read or ' +
    'refresh a report, nor to get another answer: for one event and UTC day the account gets the same report, and a ' +
    'repeated or concurrent call charges nothing.\n' +
    'Never charges more than max_credits: a higher price is refused free with over_max_credits. A subscription is billed ' +
    'only if lane says so. A run takes 30 to 120 seconds and goes on without you: answers at once unless wait_seconds is ' +
    'given, then poll with get_report. A failed run is refunded by itself. Needs the user’s API key. At most five fresh ' +
    'runs an hour. Cannot be undone.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    event_id: eventIdParameter,
    max_credits: z
      .int()
      .min(0)
      .max(quotedCreditsMax)
      .describe('The most this may cost, in credits: the price the user said yes to.'),
    lane: toolLaneParameter,
    wait_seconds: waitParameter,
  }),
  output: z.object({
    event_id: z.string(),
    ...receiptShape.shape,
    report: reportAnswerShape.nullable(),
    next_step: z.string(),
  }),
  run: async ({ event_id, max_credits, lane, wait_seconds }, call) => {
    const untilMs = Date.now() + wait_seconds * 1_000;
    const check = await call.api.checkReport(event_id, lane);
    refuseAbove(max_credits, check);
    refuseUnconfirmed(lane, check);
    const receipt = await buy(event_id, check, call);
    const report = await readBought(receipt, call, untilMs);
    const answer = report === null ? null : reportAnswerOf(report, []);
    const status = answer?.status ?? receipt.status;
    return {
      ...receipt,
      event_id,
      status,
      report: answer,
      next_step: nextStepWith({ report_id: receipt.report_id, status, lane: receipt.lane }),
    };
  },
  tell: ({ report_id, report, status, credits_spent, lane, next_step }) =>
    [
      report === null ? `Report ${report_id}: ${status}.` : describeReport(report),
      `Charged: ${credits_spent} credits (lane ${lane}).`,
      `Next step: ${next_step}`,
    ].join('\n'),
});

function refuseAbove(maxCredits: number, check: CheckView): void {
  if (check.cost_credits <= maxCredits) return;
  throw new ToolProblem(
    'over_max_credits',
    `The report costs ${check.cost_credits} credits, and at most ${maxCredits} were allowed. Nothing was bought.`,
    { cost_credits: check.cost_credits, max_credits: maxCredits, lane: check.lane },
  );
}

/** The lane that an account has by default may bill dollars, on which `max_credits` is no bound. */
function refuseUnconfirmed(lane: string | undefined, check: CheckView): void {
  const cents = meteredUsdCents(check);
  if (cents === 0 || lane === 'subscription') return;
  throw new ToolProblem(
    'metered_lane_unconfirmed',
    'This account pays by subscription, in dollars, and the call did not say that it may. Nothing was bought.',
    { price_usd_cents: cents, lane: check.lane },
  );
}

/**
 * Quotes the price that was checked, on the lane it was checked for: the service charges the lesser of that and the
 * price of the moment, or nothing at all. The key covers an answer that gets lost on the way here; a call repeated by
 * the client meets the same report by event and UTC day, which also lets a failed run be bought again.
 */
function buy(eventId: string, check: CheckView, { api }: Call): Promise<ReceiptView> {
  const wish = { event_id: eventId, quoted_credits: check.cost_credits, lane: check.lane };
  return api.buyReport(wish, `mcp-${randomUUID()}`);
}

/** Null where it was not waited for, or cannot be read just now: what was bought must be told all the same. */
async function readBought(receipt: ReceiptView, call: Call, untilMs: number): Promise<ReportView | null> {
  const hasEnded = receipt.status === 'completed';
  if (!hasEnded && untilMs <= Date.now()) return null;
  try {
    return await followReport(call, receipt.report_id, untilMs);
  } catch (error) {
    if (error instanceof ToolProblem) return null;
    throw error;
  }
}
