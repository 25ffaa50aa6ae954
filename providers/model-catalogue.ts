import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { type CouncilModel, type Vendor, vendors } from '../council/models.js';

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

export type ModelCatalogue = Readonly<Record<CouncilModel, ModelEntry>>;

export interface ModelEntry {
  readonly vendor: Vendor;
  /** The model's id at the vendor. */
  readonly modelId: string;
  /** The id of the same model at OpenRouter: `author/model`. */
  readonly openRouterModelId: string;
  /** Limit for one answer, including hidden reasoning. */
  readonly maxOutputTokens: number;
  /** US dollars per million tokens, with at most six decimals. */
  readonly inputUsdPerMillionTokens: number;
  readonly outputUsdPerMillionTokens: number;
}

const price = z.number().nonnegative().max(10_000).multipleOf(0.000001);

const entryShape = z
  .strictObject({
    vendor: z.enum(vendors),
    model_id: z.string().regex(/^[\w.:/-]+$/),
    openrouter_model_id: z.string().regex(/^[\w-][\w.-]*\/[\w-][\w.:-]*$/),
    max_output_tokens: z.int().positive().max(200_000),
    input_usd_per_million_tokens: price,
    output_usd_per_million_tokens: price,
  })
  .transform(
    (entry): ModelEntry => ({
      vendor: entry.vendor,
      modelId: entry.model_id,
      openRouterModelId: entry.openrouter_model_id,
      maxOutputTokens: entry.max_output_tokens,
      inputUsdPerMillionTokens: entry.input_usd_per_million_tokens,
      outputUsdPerMillionTokens: entry.output_usd_per_million_tokens,
    }),
  );

const catalogueShape = z.strictObject({
  claude: entryShape,
  gpt: entryShape,
  gemini: entryShape,
  grok: entryShape,
});

/**
 * Calculates the cost of a call at the catalogue's prices, in whole micro-dollars, rounded up. One dollar per
 * million tokens is one micro-dollar per token. Uses integers, because in floating point 0.07 × 100 is more
 * than 7 and would round up to 8.
 */
export function costUsdMicros(
  entry: Pick<ModelEntry, 'inputUsdPerMillionTokens' | 'outputUsdPerMillionTokens'>,
  inputTokens: number,
  outputTokens: number,
): number {
  const cost =
    scaled(entry.inputUsdPerMillionTokens) * BigInt(inputTokens) +
    scaled(entry.outputUsdPerMillionTokens) * BigInt(outputTokens);
  return Number((cost + priceScale - 1n) / priceScale);
}

const priceScale = 1_000_000n;

function scaled(price: number): bigint {
  return BigInt(Math.round(price * Number(priceScale)));
}
