import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { type CallStage, callStages } from '../council/deliberation/stages.js';
import { type CouncilModel, councilModels, type Vendor, vendors } from '../council/models.js';
import { type AnswerLimits, efforts, smallestThinkingBudgets, vendorEfforts } from './answer-limits.js';
import type { ModelUsage } from './model-provider.js';

/**
 * Reads and validates a model catalogue (`models.yaml`).
 *
 * @throws Error with the file name and each missing, unknown or out-of-range field.
 */
export function loadModelCatalogue(path: string): ModelCatalogue {
  const catalogue = catalogueShape.safeParse(parse(readFileSync(path, 'utf8')));
  if (!catalogue.success) throw new Error(`${path}: ${z.prettifyError(catalogue.error)}`);
  return catalogue.data;
}

/** The members that search the web. */
export function searchingMembers(catalogue: ModelCatalogue): readonly CouncilModel[] {
  return councilModels.filter(model => catalogue[model].search === 'web');
}

export type ModelCatalogue = Readonly<Record<CouncilModel, ModelEntry>>;

export interface ModelEntry {
  readonly vendor: Vendor;
  /** The model's id at the vendor. */
  readonly modelId: string;
  /** The id of the same model at OpenRouter: `author/model`. */
  readonly openRouterModelId: string;
  /** What one answer may take, at each stage. */
  readonly limits: Readonly<Record<CallStage, AnswerLimits>>;
  /** US dollars per million tokens, with at most six decimals. */
  readonly inputUsdPerMillionTokens: number;
  /** For input that the vendor's prompt cache serves. */
  readonly cachedInputUsdPerMillionTokens: number;
  /** For input that the vendor stores in its prompt cache. Null: it bills none, or as other input. */
  readonly cacheWriteUsdPerMillionTokens: number | null;
  readonly outputUsdPerMillionTokens: number;
  /** Whether the member searches the web before it gives its opinion. */
  readonly search: 'web' | 'none';
  /** US dollars per thousand web searches. */
  readonly searchUsdPerThousand: number;
}

const price = z.number().nonnegative().max(10_000).multipleOf(0.000001);

const limitFields = {
  max_output_tokens: z.int().positive().max(200_000),
  effort: z.enum(efforts).optional(),
  thinking_budget_tokens: z.int().nonnegative().optional(),
};

const entryShape = z
  .strictObject({
    vendor: z.enum(vendors),
    model_id: z.string().regex(/^[\w.:/-]+$/),
    openrouter_model_id: z.string().regex(/^[\w-][\w.-]*\/[\w-][\w.:-]*$/),
    ...limitFields,
    stages: z.partialRecord(z.enum(callStages), z.strictObject(limitFields).partial()).default({}),
    input_usd_per_million_tokens: price,
    cached_input_usd_per_million_tokens: price.optional(),
    cache_write_usd_per_million_tokens: price.optional(),
    output_usd_per_million_tokens: price,
    search: z.enum(['web', 'none']),
    search_usd_per_thousand: price,
  })
  .transform((entry, context): ModelEntry => {
    const limits = limitsByStage(entry);
    for (const stage of callStages) {
      for (const message of limitProblems(entry.vendor, limits[stage])) {
        context.addIssue({ code: 'custom', path: ['stages', stage], message });
      }
    }
    for (const message of searchProblems(entry, limits.research)) {
      context.addIssue({ code: 'custom', path: ['search'], message });
    }
    return {
      vendor: entry.vendor,
      modelId: entry.model_id,
      openRouterModelId: entry.openrouter_model_id,
      limits,
      inputUsdPerMillionTokens: entry.input_usd_per_million_tokens,
      cachedInputUsdPerMillionTokens:
        entry.cached_input_usd_per_million_tokens ?? entry.input_usd_per_million_tokens,
      cacheWriteUsdPerMillionTokens: entry.cache_write_usd_per_million_tokens ?? null,
      outputUsdPerMillionTokens: entry.output_usd_per_million_tokens,
      search: entry.search,
      searchUsdPerThousand: entry.search_usd_per_thousand,
    };
  });

type LimitFields = z.output<z.ZodObject<typeof limitFields>>;
type StageFields = { readonly [Name in keyof LimitFields]?: LimitFields[Name] | undefined };

/** The limits of the entry, with those of the stage in front. */
function limitsByStage(
  entry: LimitFields & { readonly stages: Readonly<Partial<Record<CallStage, StageFields>>> },
): Record<CallStage, AnswerLimits> {
  const at = (stage: CallStage): AnswerLimits => {
    const own = entry.stages[stage] ?? {};
    // An effort and a budget exclude each other, so a stage that sets one of them sets aside both of the entry's.
    const reasoning = own.effort === undefined && own.thinking_budget_tokens === undefined ? entry : own;
    return {
      maxOutputTokens: own.max_output_tokens ?? entry.max_output_tokens,
      effort: reasoning.effort ?? null,
      thinkingBudgetTokens: reasoning.thinking_budget_tokens ?? null,
    };
  };
  return {
    research: at('research'),
    opinions: at('opinions'),
    cross_review: at('cross_review'),
    synthesis: at('synthesis'),
    market_gap: at('market_gap'),
  };
}

/** What the vendor would reject with 400 in every call. */
function limitProblems(vendor: Vendor, limits: AnswerLimits): string[] {
  const { effort, thinkingBudgetTokens: budget, maxOutputTokens } = limits;
  const known: readonly (string | null)[] = vendorEfforts[vendor];
  const smallest = smallestThinkingBudgets[vendor];
  return [
    ...(effort === null || known.includes(effort)
      ? []
      : [`effort must be one of ${known.join(', ')} at ${vendor}`]),
    ...(effort === null || budget === null ? [] : ['set effort or thinking_budget_tokens, not both']),
    ...(budget === null || smallest !== undefined
      ? []
      : [`${vendor} takes an effort, no thinking_budget_tokens`]),
    ...(budget === null || budget >= (smallest ?? 0)
      ? []
      : [`thinking_budget_tokens must be at least ${smallest}`]),
    ...(budget === null || budget < maxOutputTokens
      ? []
      : ['thinking_budget_tokens must be below max_output_tokens, which includes them']),
  ];
}

/** OpenAI rejects its web search at the effort `minimal` with 400. */
function searchProblems(
  { vendor, search }: Pick<ModelEntry, 'vendor' | 'search'>,
  { effort }: AnswerLimits,
): string[] {
  return vendor === 'openai' && search === 'web' && effort === 'minimal'
    ? ['openai does not search at the effort minimal: set another effort for the stage research']
    : [];
}

const catalogueShape = z.strictObject({
  claude: entryShape,
  gpt: entryShape,
  gemini: entryShape,
  grok: entryShape,
});

/**
 * Calculates the cost of a call at the catalogue's prices, in whole micro-dollars, rounded up: each input token at one of
 * the three prices of input. One dollar per million tokens is one micro-dollar per token. Uses integers, because in
 * floating point 0.07 × 100 is more than 7 and would round up to 8.
 */
export function costUsdMicros(
  entry: Prices,
  { inputTokens, outputTokens, searches = 0, ...cache }: Omit<ModelUsage, 'modelId'>,
): number {
  // A vendor that reports more than the whole input must not make the rest negative.
  const read = Math.min(inputTokens, cache.cachedInputTokens ?? 0);
  const written = Math.min(inputTokens - read, cache.cacheWriteTokens ?? 0);
  const cost =
    scaled(entry.inputUsdPerMillionTokens) * BigInt(inputTokens - read - written) +
    scaled(entry.cachedInputUsdPerMillionTokens) * BigInt(read) +
    scaled(entry.cacheWriteUsdPerMillionTokens ?? entry.inputUsdPerMillionTokens) * BigInt(written) +
    scaled(entry.outputUsdPerMillionTokens) * BigInt(outputTokens) +
    scaled(entry.searchUsdPerThousand) * microsPerThousandth * BigInt(searches);
  return Number((cost + priceScale - 1n) / priceScale);
}

/**
 * Estimates the most that a vendor may bill for a call whose usage it did not report, in whole micro-dollars: the
 * prompt, all the output that was asked for, and all searches with the pages that they put into the input. The model
 * reads the prompt and all pages so far again after each search; each of them is stored in a cache once at most.
 * @param prompt its text, without the schema of the answer: it is counted generously
 */
export function atMostUsdMicros(
  entry: Prices,
  call: { readonly prompt: string; readonly maxOutputTokens: number; readonly maxSearches: number },
): number {
  const { prompt, maxOutputTokens, maxSearches: searches } = call;
  const promptTokens = Math.ceil(Buffer.byteLength(prompt) / bytesPerTokenMin);
  const turns = searches + 1;
  return costUsdMicros(entry, {
    inputTokens: turns * promptTokens + ((turns * searches) / 2) * searchInputTokensMax,
    cacheWriteTokens:
      entry.cacheWriteUsdPerMillionTokens === null ? 0 : promptTokens + searches * searchInputTokensMax,
    outputTokens: maxOutputTokens,
    searches,
  });
}

/** English prose has four or more, JSON and other scripts about three. */
const bytesPerTokenMin = 3;
/** The pages of one search. */
const searchInputTokensMax = 10_000;

type Prices = Pick<ModelEntry, Extract<keyof ModelEntry, `${string}Usd${string}`>>;

const priceScale = 1_000_000n;
/** One dollar per thousand searches is a thousand micro-dollars per search. */
const microsPerThousandth = 1_000n;

function scaled(price: number): bigint {
  return BigInt(Math.round(price * Number(priceScale)));
}
