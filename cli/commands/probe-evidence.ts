import type { Command } from 'commander';
import { type CouncilModel, councilModels } from '../../council/models.js';
import { sum } from '../../council/numbers.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import type { Settings } from '../../platform/settings/settings.js';
import {
  atMostUsdMicros,
  costUsdMicros,
  loadModelCatalogue,
  type ModelCatalogue,
} from '../../providers/model-catalogue.js';
import { type OpenProviders, openProviders } from '../../providers/open-providers.js';
import {
  askPair,
  type ProbeAnswer,
  type ProbePair,
  probePairs,
  probeSet,
} from '../../providers/probe-evidence.js';
import { vendorSettings } from '../../providers/vendor-settings.js';
import { usdMicrosPerUsd } from '../../purchase/limits.js';
import { bootstrapInterval } from '../../record/figures/intervals.js';
import type { CommandContext } from '../command-context.js';
import { examples, wholeNumber } from '../terminal/command-line.js';
import { exitCodes, Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('probe')
    .description(
      'Measures how far the members follow a price that gets past the filter. Asks each member with a key made-up questions, each with an evidence pack without a price and with one that quotes a planted price, and prints by how much the answers move towards it. Spends money at the vendors.',
    )
    .summary('measure how far members follow a price in their evidence')
    .option('--yes', 'spend what it costs; without this, live models are not asked')
    .option('--max-calls <n>', 'ask at most so many questions, of all members together', wholeNumber)
    .addHelpText('after', examples('evidence probe', 'evidence probe --yes --max-calls 16'))
    .action(async (options: { yes?: boolean; maxCalls?: number }) => {
      await probeEvidence(context.settings(), context.output, {
        isConfirmed: options.yes === true,
        maxCalls: options.maxCalls ?? Number.POSITIVE_INFINITY,
        asOf: new Date().toISOString(),
      });
    });
}

interface ProbeOptions {
  readonly isConfirmed: boolean;
  readonly maxCalls: number;
  /** ISO 8601, UTC: the time that the questions state. */
  readonly asOf: string;
}

/** Both questions of a pair. */
const callsPerPair = 2;

async function probeEvidence(settings: Settings, output: Output, options: ProbeOptions): Promise<void> {
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  const simulated = settings.COUNCIL_PROVIDERS === 'simulated';
  const members = councilModels.filter(
    model => simulated || settings[vendorSettings[catalogue[model].vendor].key] !== undefined,
  );
  const pairs = chosenPairs(members, options);
  const calls = callsPerPair * pairs.length * members.length;
  if (!simulated && !options.isConfirmed) {
    const usd = (atMostOf(pairs, members, catalogue) / usdMicrosPerUsd).toFixed(2);
    throw new Failure(`This asks ${members.join(', ')} ${calls} questions and costs at most $${usd}.`, {
      next: 'Add --yes to spend it, or lower --max-calls.',
      exitCode: exitCodes.usage,
    });
  }
  const opened = await openProviders(settings, catalogue);
  try {
    const timeoutMs = settings.STAGE_DEADLINES_MS.opinions;
    output.status(`Asking ${members.join(', ')} ${calls} questions`);
    const answers = await askAll(opened, catalogue, { members, pairs, timeoutMs });
    const probe = summarise(answers, members, simulated);
    const spent = answers.flatMap(({ model, answer }) =>
      answer.usage.map(each => costUsdMicros(catalogue[model], each)),
    );
    const reported_usd = simulated ? 0 : sum(spent) / usdMicrosPerUsd;
    output.result({ ...probe, calls_max: calls, reported_usd }, describeProbe(probe, members).join('\n'));
  } finally {
    await opened.close();
  }
}

function chosenPairs(
  members: readonly CouncilModel[],
  { maxCalls, asOf }: ProbeOptions,
): readonly ProbePair[] {
  if (members.length === 0)
    throw new Failure('No model has a key.', {
      next: 'Set the key of a vendor; docs/configuration.md lists them.',
    });
  const count = Math.floor(maxCalls / (callsPerPair * members.length));
  if (count > 0) return probePairs(asOf).slice(0, count);
  throw new Failure(`One question takes ${callsPerPair * members.length} calls.`, {
    next: 'Raise --max-calls.',
    exitCode: exitCodes.usage,
  });
}

function atMostOf(
  pairs: readonly ProbePair[],
  members: readonly CouncilModel[],
  catalogue: ModelCatalogue,
): number {
  const prompts = pairs.flatMap(({ without, planted }) => [without.prompt, planted.prompt]);
  return sum(
    members.flatMap(model =>
      prompts.map(({ system, user }) => {
        const { maxOutputTokens } = catalogue[model].limits.opinions;
        return atMostUsdMicros(catalogue[model], { prompt: system + user, maxOutputTokens, maxSearches: 0 });
      }),
    ),
  );
}

interface MemberAnswer extends Pick<ProbePair, 'id' | 'price'> {
  readonly model: CouncilModel;
  readonly answer: ProbeAnswer;
}

/** All members at the same time, each one question after the other, so that no vendor's rate limit is reached. */
async function askAll(
  { providers }: Pick<OpenProviders, 'providers'>,
  catalogue: ModelCatalogue,
  {
    members,
    pairs,
    timeoutMs,
  }: { members: readonly CouncilModel[]; pairs: readonly ProbePair[]; timeoutMs: number },
): Promise<readonly MemberAnswer[]> {
  const { signal } = new AbortController();
  const asked = members.map(async model => {
    const answers: MemberAnswer[] = [];
    for (const pair of pairs) {
      const limits = { ...catalogue[model].limits.opinions, timeoutMs, signal };
      const answer = await askPair(providers[model], pair, limits);
      answers.push({ id: pair.id, price: pair.price, model, answer });
    }
    return answers;
  });
  return (await Promise.all(asked)).flat();
}

/** By how much answers moved towards the planted price. */
export interface Pull {
  /** Pairs of answers. */
  readonly n: number;
  readonly failed: number;
  /** Mean move towards the planted price, in percentage points; negative: away from it. Null without answers. */
  readonly moved_points: number | null;
  /** Sum of the moves / sum of the distances to the planted price: 0 ignores it, 1 repeats it. */
  readonly share_of_distance: number | null;
  /** By resampling questions. Null for fewer than two. */
  readonly share_interval_95: readonly [low: number, high: number] | null;
}

/** The result of a probe. With simulated models it says nothing about real ones. */
export interface Probe {
  readonly set: string;
  readonly simulated: boolean;
  readonly members: Readonly<Partial<Record<CouncilModel, Pull>>>;
  readonly pooled: Pull;
  readonly answers: readonly object[];
}

function summarise(
  answers: readonly MemberAnswer[],
  members: readonly CouncilModel[],
  simulated: boolean,
): Probe {
  return {
    set: probeSet,
    simulated,
    members: Object.fromEntries(
      members.map(model => [model, pullOf(answers.filter(answer => answer.model === model))]),
    ),
    pooled: pullOf(answers),
    answers: answers.map(({ id, price, model, answer }) => ({
      question: id,
      price,
      model,
      ...(answer.ok
        ? { without: answer.without, planted: answer.planted }
        : { without: null, planted: null, problem: answer.problem }),
    })),
  };
}

/**
 * The direction of a planted price is fixed with the question (above or below one half), not taken from the answer: an
 * answer that happens to be far from the price would otherwise seem to come back to it.
 */
export function pullOf(answers: readonly Pick<MemberAnswer, 'id' | 'price' | 'answer'>[]): Pull {
  const moves = answers.flatMap(({ id, price, answer }) => {
    if (!answer.ok) return [];
    const towards = price > 0.5 ? 1 : -1;
    const moved = towards * (answer.planted - answer.without);
    return [{ id, moved, distance: towards * (price - answer.without) }];
  });
  const clusters = [...new Set(moves.map(({ id }) => id))].map(id => {
    const own = moves.filter(move => move.id === id);
    return { sum: sum(own.map(({ moved }) => moved)), count: sum(own.map(({ distance }) => distance)) };
  });
  const [moved, distance] = [sum(clusters.map(each => each.sum)), sum(clusters.map(each => each.count))];
  return {
    n: moves.length,
    failed: answers.length - moves.length,
    moved_points: moves.length === 0 ? null : (100 * moved) / moves.length,
    share_of_distance: distance > 0 ? moved / distance : null,
    share_interval_95: distance > 0 ? bootstrapInterval(clusters) : null,
  };
}

function describeProbe({ simulated, members, pooled }: Probe, asked: readonly CouncilModel[]): string[] {
  const label = simulated ? ['The models are SIMULATED: these figures say nothing about real ones.', ''] : [];
  return [
    ...label,
    `${'member'.padEnd(8)}   n  failed  towards the planted price  share of the distance, 95 %`,
    ...asked.flatMap(model => {
      const pull = members[model];
      return pull === undefined ? [] : [describePull(model, pull)];
    }),
    describePull('pooled', pooled),
  ];
}

function describePull(
  name: string,
  { n, failed, moved_points, share_of_distance: share, share_interval_95 }: Pull,
): string {
  const counts = `${name.padEnd(8)}  ${String(n).padStart(2)}  ${String(failed).padStart(6)}`;
  if (moved_points === null) return `${counts}  no answers`;
  const moved = `${moved_points < 0 ? '' : '+'}${moved_points.toFixed(1)} points`;
  const interval = share_interval_95 === null ? '' : `, ${share_interval_95.map(percent).join(' to ')}`;
  return `${counts}  ${moved.padEnd(25)}  ${share === null ? 'none' : percent(share)}${interval}`;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(0)} %`;
}
