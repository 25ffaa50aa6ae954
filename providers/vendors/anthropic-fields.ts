import type { Anthropic } from '@anthropic-ai/sdk';
import { z } from 'zod';
import { type AnswerLimits, vendorEfforts } from '../answer-limits.js';
import { cacheTokens, type ModelUsage } from '../model-provider.js';

/**
 * Current models think adaptively, as hard as the effort says, and reject a budget with 400; models before Claude 4.7
 * take a budget. Without either, the model's default applies.
 */
export function thinkingOf({ effort, thinkingBudgetTokens }: AnswerLimits): {
  thinking?: Anthropic.ThinkingConfigParam;
} {
  if (thinkingBudgetTokens !== null) {
    return { thinking: { type: 'enabled', budget_tokens: thinkingBudgetTokens } };
  }
  return effort === null ? {} : { thinking: { type: 'adaptive' } };
}

export function effortOf(limits: AnswerLimits): Pick<Anthropic.OutputConfig, 'effort'> {
  const effort = vendorEfforts.anthropic.find(each => each === limits.effort);
  return effort === undefined ? {} : { effort };
}

const count = z.int().nonnegative();
const optionalCount = count.nullish().transform(found => found ?? 0);

/** The tokens of a message, as the vendor bills them: its input has three parts that exclude each other. */
export const tokensShape = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: optionalCount,
  cache_read_input_tokens: optionalCount,
});

export function usageOf(modelId: string, tokens: z.output<typeof tokensShape>): ModelUsage {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = tokens;
  return {
    modelId,
    inputTokens: tokens.input_tokens + read + written,
    ...cacheTokens(read, written),
    outputTokens: tokens.output_tokens,
  };
}
