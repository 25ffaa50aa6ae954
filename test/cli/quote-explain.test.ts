import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordProviderCall } from '../../db/pricing/provider-calls.js';
import { currentQuote } from '../../db/pricing/quotes.js';
import { nextQuote, type WindowedQuote } from '../../purchase/quote.js';
import { putKey } from '../db/support/account-steps.js';
import {
  answeredCall,
  bought,
  complete,
  newestWindow,
  purchaseRequest,
  recordCost,
  refund,
} from '../db/support/purchases.js';
import { useTestWorld } from '../db/support/test-world.js';
import { council } from '../support/service/council-command.js';

const world = useTestWorld();
const reportIds: number[] = [];

const explain = (...args: string[]) => council(['quote', 'explain', ...args], { DATABASE_URL: world.url });

const newRun = async (more: { simulated?: boolean; lane?: 'byok' } = {}) => {
  const { simulated = true, lane = 'credits' } = more;
  const purchase = purchaseRequest({
    accountId: await world.openAccount(5_000),
    eventId: await world.openEvent(),
    lane,
  });
  if (lane === 'byok') await putKey(world, purchase.accountId);
  return { ...purchase, ...(await bought(world.db, purchase, { simulated })) };
};

beforeAll(async () => {
  for (let n = 1; n <= 12; n++) {
    const { reportId } = await newRun();
    const tokens = { inputTokens: 1_000 * n, outputTokens: 10 * n, costUsdMicros: 50_000 };
    const call = answeredCall(reportId, { stage: 'synthesis', model: 'gpt', ...tokens });
    await recordProviderCall(world.db, call);
    await complete(world.db, reportId, 300_000 + 10_000 * n);
    reportIds.unshift(reportId);
  }
});

describe('council quote explain', () => {
  test('shows the last ten completed runs, newest first, with cost, tokens by model and the price after each', async () => {
    const { code, out } = await explain('--json');
    expect(code).toBe(0);
    const { simulated, rules } = JSON.parse(out);
    expect(simulated.runs.map((run: any) => run.report_id)).toEqual(reportIds.slice(0, 10));
    expect(simulated.runs[0]).toMatchObject({
      cost_usd: 0.47,
      tokens: {
        claude: { input: 1, output: 1, searches: 0 },
        gpt: { input: 12_000, output: 120, searches: 0 },
      },
      fresh_credits: simulated.fresh_credits,
      estimate_usd: simulated.estimate_usd,
    });
    expect(rules).toEqual({
      usd_per_credit: 0.01,
      markup: 3,
      floor_credits: 60,
      ceiling_credits: 600,
      step_max_percent: 5,
      weight_of_one_run: 0.125,
      window_minutes: 60,
      window_max_percent: 3,
    });
  });

  test('prints enough to recompute every price', async () => {
    const { simulated } = JSON.parse((await explain('--json', '--runs', '12')).out);
    let quote: WindowedQuote | null = null;
    for (const run of simulated.runs.toReversed()) {
      const costUsdMicros = Math.round(run.cost_usd * 1e6);
      quote = nextQuote(quote, { costUsdMicros, completedAt: new Date(run.completed_at) });
      expect(run).toMatchObject({
        fresh_credits: quote.freshCredits,
        estimate_usd: quote.estimateUsdMicros / 1e6,
        window_began_at: quote.windowBeganAt.toISOString(),
        window_credits: quote.windowCredits,
      });
    }
    expect(await newestWindow(world.db)).toEqual(quote);
  });

  test('separates live and simulated prices, and says when no run has moved one', async () => {
    const { out } = await explain('--runs', '3');
    expect(out).toContain(
      'live: 120 credits fresh, 60 cached. Estimate 0.4000 USD a run; target 120 credits.',
    );
    expect(out).toContain('No run has moved it yet');
    expect(out).toContain('Its window began at 2031-03-05T12:00:00.000Z with 120 credits.');
    expect(out.match(/^ {2}report /gm)).toHaveLength(3);
    expect(out).toContain(`report ${reportIds[0]}, `);
    expect(out).toContain('claude 1 in, 1 out, 0 searches; gpt 12000 in, 120 out, 0 searches');
  });

  test("leaves out failed runs and runs on customers' own keys, which did not move the price", async () => {
    const before = await currentQuote(world.db, true);
    const failed = await newRun();
    await recordCost(world.db, failed.reportId, 9_000_000);
    await refund(world.db, failed);
    const byok = await newRun({ lane: 'byok' });
    await complete(world.db, byok.reportId, 9_000_000);
    const { simulated } = JSON.parse((await explain('--json')).out);
    expect(simulated.runs[0].report_id).toBe(reportIds[0]);
    expect(await currentQuote(world.db, true)).toEqual(before);
  });
});
