import { z } from 'zod';
import { balanceShape } from '../../contract/credits.js';
import { count } from '../../contract/parts.js';
import { type CheckView, checkShape } from '../../contract/purchase.js';
import { eventIdParameter, toolLaneParameter } from './parameters.js';
import { meteredUsdCents, priceInWords } from './price.js';
import { defineTool } from './tool.js';

const outputShape = checkShape.extend({
  event_id: z.string(),
  price_usd_cents: count,
  balance_credits: balanceShape.shape.balance_credits,
  next_step: z.string(),
});

export const checkReport = defineTool({
  name: 'check_report',
  title: 'Check what a report would cost',
  description:
    'Says what a report on one event would cost this account now and out of what it would be paid (lane, pool), whether the ' +
    'account owns today’s report already (already_purchased, with its report_id), and whether a cached one can be had at ' +
    'half the price. On a subscription price_usd_cents is what would be billed.\n' +
    'Use it directly before every run_report, tell the user the price, and ask. Also use it to find the report_id again ' +
    'after a call was cut off. Do not use it to read a report (get_report) or for list prices (get_pricing).\n' +
    'Free: spends nothing, records nothing, reserves nothing. Needs the user’s API key. The quote can move by the time of ' +
    'the run; run_report never goes over max_credits.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ event_id: eventIdParameter, lane: toolLaneParameter }),
  output: outputShape,
  run: async ({ event_id, lane }, { api }) => {
    const check = await api.checkReport(event_id, lane);
    const { balance_credits } = await api.readBalance();
    return {
      ...check,
      event_id,
      price_usd_cents: meteredUsdCents(check),
      balance_credits,
      next_step: nextStep(check, balance_credits),
    };
  },
  tell: check =>
    [
      check.already_purchased
        ? `Report ${check.report_id} on ${check.event_id} is this account’s already, and free.`
        : `A report on ${check.event_id} costs ${priceInWords(check)}${check.has_cached_report ? ' (made earlier today, so at once)' : ''}. ` +
          `Lane ${check.lane}; the account has ${check.balance_credits} credits.`,
      `Next step: ${check.next_step}`,
    ].join('\n'),
});

function nextStep(check: CheckView, balance: number): string {
  if (check.already_purchased) return `Call get_report with report_id ${check.report_id}.`;
  if (check.pool === 'purchased' && balance < check.cost_credits) {
    return `The balance of ${balance} credits is not enough. Tell the user; they can buy credits or wait for Monday’s free report.`;
  }
  const lane = meteredUsdCents(check) > 0 ? ' and lane "subscription"' : '';
  return (
    `Tell the user that it costs ${priceInWords(check)} and ask. If they agree, call run_report with max_credits ` +
    `${check.cost_credits}${lane}.`
  );
}
