import { type Command, Option } from 'commander';
import { utcDay } from '../../council/calendar.js';
import type { Db } from '../../db/database.js';
import { type HouseFigures, readHouseToday, type Taken } from '../../db/house/house-day.js';
import { readSpend, type SpendLine } from '../../db/house/spend.js';
import { salesPolicyOf } from '../../platform/settings/settings.js';
import {
  type CeilingName,
  ceilingNames,
  hasCeiling,
  isReached,
  type SalesPolicy,
} from '../../purchase/house-ceilings.js';
import { usdMicrosPerUsd } from '../../purchase/limits.js';
import type { CommandContext } from '../command-context.js';
import { examples, utcDate } from '../terminal/command-line.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('spend')
    .description(
      "Shows what the house's models cost on a UTC day, by lane, model and stage, and what open runs are expected to cost, against HOUSE_LIMIT_USD_PER_DAY and GRANT_LIMIT_USD_PER_DAY of this environment. Model calls are kept for 90 days.",
    )
    .summary("operators: today's model cost against the ceilings")
    .addOption(new Option('--day <date>', 'YYYY-MM-DD, UTC; by default today').argParser(utcDate))
    .addHelpText('after', examples('spend', 'spend --day 2031-03-05 --json'))
    .action(async ({ day }: { day?: string }) => {
      const settings = context.settings();
      const now = new Date();
      const question = {
        policy: salesPolicyOf(settings),
        simulated: settings.COUNCIL_PROVIDERS === 'simulated',
        day: day ?? utcDay(now),
        now,
      };
      await context.database(db => showSpend(db, context.output, question));
    });
}

interface SpendQuestion {
  readonly policy: SalesPolicy;
  readonly simulated: boolean;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly now: Date;
}

/** What the house takes on in a day against its ceilings, and which calls cost it. For operators only. */
async function showSpend(db: Db, output: Output, question: SpendQuestion): Promise<void> {
  const { simulated, day, now } = question;
  const lines = await readSpend(db, { simulated, day });
  const figures = day === utcDay(now) ? await readHouseToday(db, { simulated, now }) : ofCalls(lines);
  const document = documentOf(question, figures, lines);
  output.result(document, describe(document).join('\n'));
}

/** For another day this is all there is: open runs count today, whatever the day on which they began. */
function ofCalls(lines: readonly SpendLine[]): HouseFigures {
  const spent = (ceiling: CeilingName): Taken => ({
    spentUsdMicros: lines
      .filter(countsTowards[ceiling])
      .reduce((sum, { costUsdMicros, estimatedUsdMicros }) => sum + costUsdMicros + estimatedUsdMicros, 0),
    committedUsdMicros: 0,
    openRuns: 0,
  });
  return { all: spent('all'), weekly_grants: spent('weekly_grants') };
}

type SpendDocument = ReturnType<typeof documentOf>;

function documentOf(
  { policy, simulated, day }: SpendQuestion,
  figures: HouseFigures,
  lines: readonly SpendLine[],
) {
  const limits = { all: policy.houseLimitUsdMicros, weekly_grants: policy.grantLimitUsdMicros };
  return {
    day,
    models: simulated ? 'simulated' : 'live',
    has_ceilings: hasCeiling(policy),
    ceilings: ceilingNames.map(ceiling => ({
      ceiling,
      ...ceilingOf(figures[ceiling], limits[ceiling]),
      estimated_usd: estimatedUsd(lines.filter(countsTowards[ceiling])),
    })),
    by_lane: sumBy(lines, ({ lane, pool }) => (pool === 'weekly_grant' ? 'weekly_grant' : lane)),
    by_model: sumBy(lines.filter(isPaidByHouse), ({ model }) => model),
    by_stage: sumBy(lines.filter(isPaidByHouse), ({ stage }) => stage),
  };
}

function isPaidByHouse({ lane }: SpendLine): boolean {
  return lane !== 'byok';
}

const countsTowards: Readonly<Record<CeilingName, (line: SpendLine) => boolean>> = {
  all: isPaidByHouse,
  weekly_grants: ({ pool }) => pool === 'weekly_grant',
};

function estimatedUsd(lines: readonly SpendLine[]): number {
  return usd(lines.reduce((sum, { estimatedUsdMicros }) => sum + estimatedUsdMicros, 0));
}

function ceilingOf({ spentUsdMicros, committedUsdMicros, openRuns }: Taken, limitUsdMicros: number) {
  const takenUsdMicros = spentUsdMicros + committedUsdMicros;
  return {
    spent_usd: usd(spentUsdMicros),
    committed_usd: usd(committedUsdMicros),
    open_runs: openRuns,
    limit_usd: Number.isFinite(limitUsdMicros) ? usd(limitUsdMicros) : null,
    is_reached: isReached({ takenUsdMicros, limitUsdMicros }),
  };
}

function sumBy(lines: readonly SpendLine[], nameOf: (line: SpendLine) => string) {
  const names = [...new Set(lines.map(nameOf))].sort();
  return names.map(name => {
    const group = lines.filter(line => nameOf(line) === name);
    const total = (valueOf: (line: SpendLine) => number) =>
      group.reduce((sum, line) => sum + valueOf(line), 0);
    return {
      name,
      cost_usd: usd(total(line => line.costUsdMicros)),
      estimated_usd: usd(total(line => line.estimatedUsdMicros)),
      unused_usd: usd(total(line => line.unusedUsdMicros)),
      calls: total(line => line.calls),
      searches: total(line => line.searches),
      input_tokens: total(line => line.inputTokens),
      cached_input_tokens: total(line => line.cachedInputTokens),
    };
  });
}

/** US dollars, to the micro-dollar. */
function usd(micros: number): number {
  return micros / usdMicrosPerUsd;
}

function describe(spend: SpendDocument): string[] {
  return [
    `${spend.day} (UTC), ${spend.models} models`,
    ...spend.ceilings.map(describeCeiling),
    ...describeGroup('by lane (byok: paid by the callers, not by the house)', spend.by_lane),
    ...describeGroup('by model', spend.by_model),
    ...describeGroup('by stage', spend.by_stage),
  ];
}

function describeCeiling(row: SpendDocument['ceilings'][number]): string {
  const name = row.ceiling === 'all' ? 'in all' : 'weekly grants';
  const limit = row.limit_usd === null ? 'no ceiling' : `ceiling ${row.limit_usd.toFixed(2)} USD`;
  const state = row.is_reached ? '; reached, no more runs today' : '';
  const estimated = row.estimated_usd > 0 ? ` (${row.estimated_usd.toFixed(4)} USD of it estimated)` : '';
  return `${name}: ${row.spent_usd.toFixed(4)} USD spent${estimated}, ${row.committed_usd.toFixed(4)} USD committed to ${row.open_runs} open runs; ${limit}${state}`;
}

function describeGroup(title: string, rows: SpendDocument['by_lane']): string[] {
  if (rows.length === 0) return [];
  return [
    `${title}:`,
    ...rows.map(
      ({ name, cost_usd, calls, searches, ...apart }) =>
        `  ${name}: ${cost_usd.toFixed(4)} USD, ${calls} calls, ${searches} searches${describeCached(apart)}${describeApart(apart)}`,
    ),
  ];
}

function describeCached({
  input_tokens,
  cached_input_tokens,
}: Pick<SpendDocument['by_lane'][number], 'input_tokens' | 'cached_input_tokens'>): string {
  if (input_tokens === 0) return '';
  return `, ${((100 * cached_input_tokens) / input_tokens).toFixed(1)} % of the input from a cache`;
}

function describeApart({
  estimated_usd,
  unused_usd,
}: Pick<SpendDocument['by_lane'][number], 'estimated_usd' | 'unused_usd'>): string {
  return [
    estimated_usd > 0 ? `; at most ${estimated_usd.toFixed(4)} USD more that no vendor reported` : '',
    unused_usd > 0 ? `; ${unused_usd.toFixed(4)} USD for answers that were not used` : '',
  ].join('');
}
