import { opinionSchema } from '../council/answer-schemas.js';
import type { DropoutKind } from '../council/dropout.js';
import type { MarketEvent } from '../council/event.js';
import { opinionPrompt } from '../council/opinion-prompt.js';
import { outcomeSet } from '../council/outcome-set.js';
import { parseOpinion } from '../council/parse-opinion.js';
import { type CallLimits, type ModelProvider, ProviderError } from './model-provider.js';

export type Trial =
  | { readonly works: true; readonly modelId: string }
  | { readonly works: false; readonly kind: DropoutKind; readonly status: number | null };

/**
 * One cheap call, exactly as a report would make it: the prompt, schema and parser of an opinion, on the toss of a
 * coin. What answers this usefully would answer a report; a key, a model id, a spent balance or a schema that the
 * vendor does not take would all show. Costs a few hundred tokens.
 */
export async function tryModel(
  provider: ModelProvider,
  limits: CallLimits & { readonly maxOutputTokens: number; readonly asOf: string },
): Promise<Trial> {
  const set = outcomeSet(coinToss);
  const rule = { outcomes: set.outcomes.map(({ name }) => name), exclusive: set.exclusive };
  try {
    const answer = await provider.ask({
      ...opinionPrompt({ event: coinToss, set, asOf: limits.asOf }),
      schemaName: 'opinion',
      schema: opinionSchema(rule.outcomes, rule.exclusive),
      maxOutputTokens: limits.maxOutputTokens,
      timeoutMs: limits.timeoutMs,
      signal: limits.signal,
    });
    return parseOpinion(answer.text, rule).ok
      ? { works: true, modelId: answer.modelId }
      : { works: false, kind: 'invalid_answer', status: 200 };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { works: false, kind: error.kind, status: error.status };
  }
}

const coinToss: MarketEvent = {
  eventId: 'coin-toss',
  source: 'sample',
  title: 'Does a fair coin show heads at its next toss?',
  description: 'A trial question. Answer in as few words as the format allows: no reasoning is needed.',
  category: null,
  closesAt: null,
  status: 'open',
  exclusive: true,
  volume: 0,
  url: null,
  markets: [
    {
      marketId: 'coin-toss',
      name: 'Heads',
      question: 'Does a fair coin show heads at its next toss?',
      slug: 'coin-toss',
      sides: ['Heads', 'Tails'],
      status: 'open',
      placeholder: false,
      bestBid: null,
      bestAsk: null,
      lastTrade: null,
      volume: 0,
      takerFee: { rate: 0, exponent: 1 },
      resolution: 'unresolved',
    },
  ],
};
