import { packOf } from '../../../council/evidence/assemble-evidence.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { type CouncilModel, councilModels, vendors } from '../../../council/models.js';
import { researchPrompt } from '../../../council/prompts/research-prompt.js';
import {
  opinionQuestion,
  reviewQuestion,
  type StageQuestion,
  synthesisQuestion,
} from '../../../council/questions/stage-questions.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { createProviders } from '../../../providers/create-providers.js';
import {
  costUsdMicros,
  loadModelCatalogue,
  type ModelCatalogue,
  searchingMembers,
} from '../../../providers/model-catalogue.js';
import type { ModelUsage } from '../../../providers/model-provider.js';
import { searchesMax, usdMicrosPerUsd } from '../../../purchase/limits.js';
import { simulateCouncil } from '../../../simulator/record/simulate-council.js';
import { type Simulator, startSimulator } from '../../../simulator/simulator.js';
import { type Measured, rounded } from '../results/measurement.js';

/**
 * What the models of one report cost, by the prices of the catalogue, and how much of their input the vendors' prompt
 * caches serve and store: the mean over the open sample events, each asked once. Every member is asked what a report asks
 * it, through its adapter, at the simulator, which counts tokens and follows the vendors' rules for their caches.
 */
export async function benchCost(): Promise<Measured> {
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  const simulator = await startSimulator();
  const { events } = await createSampleEventSource().search({
    search: '',
    category: null,
    sort: 'volume',
    status: 'open',
    skip: 0,
    limit: 100,
  });
  const briefs = events.map(event => ({
    event,
    set: outcomeSet(event),
    asOf: sampleTime,
    seed: event.eventId,
    searchers: searchingMembers(catalogue),
  }));
  const sums = { before: noSums(), now: noSums() };
  for (const brief of briefs) {
    await askAll(brief, catalogue, { simulator, isNow: false }, sums.before);
    await askAll(brief, catalogue, { simulator, isNow: true }, sums.now);
  }
  await simulator.close();
  return measuredOf(sums, briefs.length);
}

const sampleTime = '2026-11-25T12:00:00.000Z';

type Brief = Parameters<typeof simulateCouncil>[0];

interface Asked {
  readonly simulator: Simulator;
  /** False: as release 1.0.0 asked. It said nothing of caches, and each stage had other rules before the event. */
  readonly isNow: boolean;
}

async function askAll(brief: Brief, catalogue: ModelCatalogue, asked: Asked, sums: Sums): Promise<void> {
  const { found, opinions, reviews } = simulateCouncil(brief);
  const deliberation = { ...brief, members: councilModels, opinions, found };
  const ask = (stage: 'opinions' | 'cross_review' | 'synthesis') => {
    const providers = providersFor(stage, catalogue, asked);
    return async (member: CouncilModel, { prompt, schemaName, schema }: StageQuestion<object>) => {
      const limits = { ...catalogue[member].limits[stage], ...noLimits };
      add(sums, catalogue, member, await providers[member].ask({ ...prompt, schemaName, schema, ...limits }));
    };
  };
  const [searching, opinion, review] = [
    providersFor('research', catalogue, asked),
    ask('opinions'),
    ask('cross_review'),
  ];
  for (const member of brief.searchers ?? []) {
    const limits = { ...catalogue[member].limits.research, ...noLimits };
    const question = { ...researchPrompt(brief), ...limits, blockedHosts: [], maxSearches: searchesMax };
    add(sums, catalogue, member, await searching[member].search(question));
  }
  for (const member of councilModels)
    await opinion(member, opinionQuestion(brief, found && packOf(found, member)));
  for (const member of councilModels) await review(member, reviewQuestion(deliberation, member));
  const [chairman] = councilModels;
  await ask('synthesis')(chairman, synthesisQuestion(deliberation, reviews, chairman));
}

const noLimits = { timeoutMs: 20_000, signal: new AbortController().signal };

/** Caches belong to a key: with a key for each stage, no stage is served what another had stored. */
function providersFor(stage: string, catalogue: ModelCatalogue, { simulator, isNow }: Asked) {
  const key = isNow ? 'now' : `before-${stage}`;
  const keys = Object.fromEntries(vendors.map(vendor => [vendor, key]));
  return createProviders({
    catalogue: isNow ? catalogue : silent(catalogue),
    keys,
    baseUrls: simulator.baseUrls,
  });
}

function silent(catalogue: ModelCatalogue): ModelCatalogue {
  const entryOf = (member: CouncilModel) => ({ ...catalogue[member], cacheWriteUsdPerMillionTokens: null });
  return {
    claude: entryOf('claude'),
    gpt: entryOf('gpt'),
    gemini: entryOf('gemini'),
    grok: entryOf('grok'),
  };
}

interface Sum {
  input: number;
  served: number;
  stored: number;
  output: number;
  usdMicros: number;
}

type Sums = Record<CouncilModel, Sum>;

function noSums(): Sums {
  const none = () => ({ input: 0, served: 0, stored: 0, output: 0, usdMicros: 0 });
  return { claude: none(), gpt: none(), gemini: none(), grok: none() };
}

function add(sums: Sums, catalogue: ModelCatalogue, member: CouncilModel, usage: ModelUsage): void {
  const sum = sums[member];
  sum.input += usage.inputTokens;
  sum.served += usage.cachedInputTokens ?? 0;
  sum.stored += usage.cacheWriteTokens ?? 0;
  sum.output += usage.outputTokens;
  sum.usdMicros += costUsdMicros(catalogue[member], usage);
}

function measuredOf({ before, now }: { before: Sums; now: Sums }, reports: number): Measured {
  const lines = councilModels.map(member => ({ member, before: before[member], now: now[member] }));
  const all = { member: 'all', before: totalOf(before), now: totalOf(now) };
  const share = (part: number, whole: number) => rounded((100 * part) / whole, 1);
  const usd = (micros: number) => rounded(micros / usdMicrosPerUsd / reports, 4);
  const figuresOf = ({ input, served, stored, output, usdMicros }: Sum) => ({
    input_tokens: Math.round(input / reports),
    served_percent: share(served, input),
    stored_percent: share(stored, input),
    output_tokens: Math.round(output / reports),
    usd: usd(usdMicros),
  });
  const figures = [...lines, all].map(line => ({
    member: line.member,
    before: figuresOf(line.before),
    now: figuresOf(line.now),
  }));
  return {
    figures: { reports, by_member: figures },
    table: {
      head: ['member', 'input tokens', 'output tokens', 'served, %', 'stored, %', 'USD a report'],
      rows: figures.map(line => [
        line.member,
        line.now.input_tokens,
        line.now.output_tokens,
        `${line.before.served_percent} → ${line.now.served_percent}`,
        `${line.before.stored_percent} → ${line.now.stored_percent}`,
        `${line.before.usd} → ${line.now.usd}`,
      ]),
    },
    goals: [],
  };
}

function totalOf(sums: Sums): Sum {
  const total = (of: (sum: Sum) => number) =>
    councilModels.reduce((all, member) => all + of(sums[member]), 0);
  return {
    input: total(({ input }) => input),
    served: total(({ served }) => served),
    stored: total(({ stored }) => stored),
    output: total(({ output }) => output),
    usdMicros: total(({ usdMicros }) => usdMicros),
  };
}

/**
 * What the input of one search of Claude costs with and without a mark, by Anthropic's bill: after each search the model
 * reads the prompt and all results so far again. The simulator's searches read their results once.
 */
export function benchSearchCost(): Promise<Measured> {
  const { claude } = loadModelCatalogue(projectFiles.modelCatalogue);
  const usd = (usage: Omit<ModelUsage, 'modelId' | 'outputTokens'>) =>
    rounded(costUsdMicros(claude, { ...usage, outputTokens: 0 }) / usdMicrosPerUsd, 4);
  const figures = Array.from({ length: searchesMax }, (_, index) => {
    const searches = index + 1;
    const stored = searchPromptTokens + searches * resultTokens;
    const input = (searches + 1) * searchPromptTokens + ((searches * (searches + 1)) / 2) * resultTokens;
    const cache = { cacheWriteTokens: stored, cachedInputTokens: input - stored };
    return {
      searches,
      input_tokens: input,
      served_percent: rounded((100 * cache.cachedInputTokens) / input, 1),
      usd_without: usd({ inputTokens: input }),
      usd_with: usd({ inputTokens: input, ...cache }),
    };
  });
  return Promise.resolve({
    figures: { by_searches: figures },
    table: {
      head: ['searches', 'input tokens', 'served, %', 'USD without the mark', 'USD with it'],
      rows: figures.map(line => Object.values(line)),
    },
    goals: [],
  });
}

/** With the vendor's own text about its tool. */
const searchPromptTokens = 3_000;
const resultTokens = 7_000;
