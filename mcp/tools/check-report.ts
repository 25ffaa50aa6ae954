import { z } from 'zod';
import { describePrice, usdAmount } from '../../contract/callers/price-text.js';
import { type BalanceView, balanceShape } from '../../contract/credits.js';
import { minMembersField } from '../../contract/parameters.js';
import { count } from '../../contract/parts.js';
import { type CheckView, checkShape } from '../../contract/purchase.js';
import { recordText } from '../../contract/report-text/record-text.js';
import { toolEventIdParameter, toolLaneParameter } from './parameters.js';
import { defineTool } from './tool.js';

export const checkReport = defineTool({
  name: 'check_report',
  title: 'Check what a report would cost',
  description:
    'Returns what a report on one event would cost this account now and how it would be paid (lane, pool), whether the ' +
    'account already owns today’s report (already_purchased, with its report_id), and whether a cached report is ' +
    'available at half the price. Dollars are billed on the lane subscription only: price_usd_cents, 0 on other lanes.\n' +
    'Use it directly before every run_report, tell the user lane and price, and ask. Also use it to find the report_id again ' +
    'after a call was cut off. Do not use it to read a report (get_report) or for list prices (get_pricing).\n' +
    'Free: spends nothing, records nothing, reserves nothing. Needs the user’s API key. The price can change before the ' +
    'run; run_report never exceeds max_credits and max_usd.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    event_id: toolEventIdParameter,
    lane: toolLaneParameter,
    min_members: minMembersField,
  }),
  output: checkShape.extend({
    event_id: z.string(),
    price_usd_cents: count,
    balance_credits: balanceShape.shape.balance_credits,
    owed_credits: balanceShape.shape.owed_credits,
    next_step: z.string(),
  }),
  run: async ({ event_id, lane, min_members }, { api }) => {
    const check = await api.reports.check(event_id, { lane, minMembers: min_members });
    const { balance_credits, owed_credits } = await api.request('GET /api/credits/balance');
    return {
      ...check,
      event_id,
      price_usd_cents: check.price_usd_cents ?? 0,
      balance_credits,
      owed_credits,
      next_step: nextStep(check, { balance_credits, owed_credits }),
    };
  },
  describe: check =>
    [
      check.already_purchased
        ? `This account already owns report ${check.report_id} on ${check.event_id}. It is free to read.`
        : `A report on ${check.event_id} costs ${describePrice(check)}${check.has_cached_report ? ' (cached today, so available at once)' : ''}. ` +
          `Lane ${check.lane}; the account has ${check.balance_credits} credits.`,
      ...(check.record_head === null ? [] : [recordText(check.record_head)]),
      `Next step: ${check.next_step}`,
    ].join('\n'),
});

type Credits = Pick<BalanceView, 'balance_credits' | 'owed_credits'>;

function nextStep(check: CheckView, { balance_credits: balance, owed_credits: owed }: Credits): string {
  if (check.already_purchased) return `Call get_report with report_id ${check.report_id}.`;
  if (check.pool === 'purchased' && owed > 0) {
    return `The account owes ${owed} credits of a refunded or disputed payment. Tell the user; they are deducted from the next credits that the user buys, and until then credits and free reports pay for nothing.`;
  }
  if (check.pool === 'purchased' && balance < check.cost_credits) {
    return `The balance of ${balance} credits is not enough. Tell the user; they can buy credits or wait for Monday’s free report.`;
  }
  const { cost_credits: credits, price_usd_cents: usdCents = 0 } = check;
  const limits =
    usdCents > 0
      ? `, max_credits ${credits} and max_usd ${usdAmount(usdCents)}`
      : ` and max_credits ${credits}`;
  return (
    `Tell the user the price, ${describePrice(check)}, and ask. If they agree, call run_report with lane ` +
    `"${check.lane}"${limits}.`
  );
}
