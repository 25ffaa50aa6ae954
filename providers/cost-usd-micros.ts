import type { ModelEntry } from './model-catalogue.js';

/**
 * What a call costs at the catalogue's prices, in whole micro-dollars, rounded up.
 * A dollar per million tokens is a micro-dollar per token. Exact: in floating point 0.07 × 100 is more than 7, and
 * would round up to 8.
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
