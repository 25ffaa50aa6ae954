import type { Command } from 'commander';
import type { Db } from '../../db/database.js';
import { currentQuote, type QuotedRun, readQuoteHistory } from '../../db/pricing/quotes.js';
import { byokCredits, usdMicrosPerCredit, usdMicrosPerUsd } from '../../purchase/limits.js';
import {
  cachedCredits,
  estimateWeightOfOneRun,
  freshCreditsCeiling,
  freshCreditsFloor,
  markup,
  stepMaxShare,
  targetCredits,
  windowMaxPercent,
  windowMinutes,
} from '../../purchase/quote.js';
import type { CommandContext } from '../command-context.js';
import { examples, wholeNumber } from '../terminal/command-line.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('explain')
    .description('Shows what recent runs cost, and how the price follows from it.')
    .summary('explain the current price')
    .option('--runs <n>', 'the number of recent runs', wholeNumber, 10)
    .addHelpText('after', examples('quote explain --runs 20'))
    .action(async (options: { runs: number }) => {
      await context.database(db => explainQuote(db, context.output, options));
    });
}

/** Explains the current price to operators. It shows provider costs, so it requires access to the database. */
async function explainQuote(db: Db, output: Output, { runs }: { runs: number }): Promise<void> {
  const live = await explain(db, { simulated: false, runs });
  const simulated = await explain(db, { simulated: true, runs });
  output.result(
    { rules, live, simulated },
    [...describeRules(), '', ...describe('live', live), '', ...describe('simulated', simulated)].join('\n'),
  );
}

const rules = {
  usd_per_credit: usdMicrosPerCredit / usdMicrosPerUsd,
  markup,
  floor_credits: freshCreditsFloor,
  ceiling_credits: freshCreditsCeiling,
  step_max_percent: stepMaxShare * 100,
  weight_of_one_run: estimateWeightOfOneRun,
  window_minutes: windowMinutes,
  window_max_percent: windowMaxPercent,
};

type Explanation = Awaited<ReturnType<typeof explain>>;

async function explain(db: Db, { simulated, runs }: { simulated: boolean; runs: number }) {
  const { freshCredits, estimateUsdMicros } = await currentQuote(db, simulated);
  const history = await readQuoteHistory(db, { simulated, limit: runs });
  return {
    fresh_credits: freshCredits,
    cached_credits: cachedCredits(freshCredits),
    byok_credits: byokCredits,
    estimate_usd: estimateUsdMicros / usdMicrosPerUsd,
    target_credits: targetCredits(estimateUsdMicros),
    runs: history.map(explainRun),
  };
}

function explainRun(run: QuotedRun) {
  return {
    report_id: run.reportId,
    completed_at: run.completedAt.toISOString(),
    cost_usd: run.costUsdMicros / usdMicrosPerUsd,
    tokens: Object.fromEntries(
      run.tokens.map(({ model, inputTokens, outputTokens, searches }) => [
        model,
        { input: inputTokens, output: outputTokens, searches },
      ]),
    ),
    fresh_credits: run.quote.freshCredits,
    estimate_usd: run.quote.estimateUsdMicros / usdMicrosPerUsd,
    window_began_at: run.quote.windowBeganAt.toISOString(),
    window_credits: run.quote.windowCredits,
  };
}

function describeRules(): string[] {
  return [
    `Each completed run moves the estimate 1/${1 / estimateWeightOfOneRun} of the way to its own cost. The price is the estimate`,
    `times ${markup} at ${usd(rules.usd_per_credit)} a credit, from ${freshCreditsFloor} to ${freshCreditsCeiling} credits, by at most ${rules.step_max_percent} % a run.`,
    `All runs within ${windowMinutes} minutes together move it by at most ${windowMaxPercent} % from the price at which these minutes began,`,
    'so prices in force within an hour of each other differ by at most 10 %.',
    "Failed runs, and runs on customers' own keys, do not move it.",
  ];
}

function describe(name: string, quote: Explanation): string[] {
  const { fresh_credits, cached_credits, estimate_usd, target_credits } = quote;
  return [
    `${name}: ${fresh_credits} credits fresh, ${cached_credits} cached. Estimate ${usd(estimate_usd)} a run; target ${target_credits} credits.`,
    ...describeWindow(quote),
    ...quote.runs.map(
      run =>
        `  report ${run.report_id}, ${run.completed_at}: cost ${usd(run.cost_usd)} → estimate ${usd(run.estimate_usd)}, ${run.fresh_credits} credits (${tokensOf(run.tokens)})`,
    ),
  ];
}

function describeWindow({ runs: [newest], fresh_credits, target_credits }: Explanation): string[] {
  if (newest === undefined) return ['  No run has moved it yet: this is the initial price.'];
  const progress = fresh_credits === target_credits ? 'at its target' : 'not yet at its target';
  return [
    `  The price is ${progress}. Its window began at ${newest.window_began_at} with ${newest.window_credits} credits.`,
  ];
}

function tokensOf(tokens: Explanation['runs'][number]['tokens']): string {
  const models = Object.entries(tokens);
  if (models.length === 0) return 'no calls recorded';
  return models
    .map(
      ([model, { input, output, searches }]) => `${model} ${input} in, ${output} out, ${searches} searches`,
    )
    .join('; ');
}

function usd(dollars: number): string {
  return `${dollars.toFixed(4)} USD`;
}
