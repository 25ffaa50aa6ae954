import type { DropoutKind } from '../council/deliberation/members.js';
import type { Market, MarketEvent } from '../council/event.js';
import { outcomeSet } from '../council/market/outcome-set.js';
import { type CouncilModel, councilModels } from '../council/models.js';
import { oneMarketEvent } from '../council/one-market-event.js';
import { opinionQuestion } from '../council/questions/stage-questions.js';
import type { AnswerLimits } from './answer-limits.js';
import type { ModelCatalogue } from './model-catalogue.js';
import { type CallLimits, type ModelProvider, ProviderError } from './model-provider.js';

/** A model that its vendor does not serve as configured. */
export interface UnservedModel {
  readonly model: CouncilModel;
  readonly modelId: string;
  /** A text of this service, with the HTTP status. It never contains the vendor's text or a key. */
  readonly reason: string;
}

const lookupTimeoutMs = 15_000;
/** About what a report gives a first answer. */
const questionTimeoutMs = 35_000;

/**
 * Checks that each vendor serves the configured model. Model ids are retired within weeks; without this check, a retired
 * id shows up as a member that drops out of every report. A lookup costs nothing. Where it fails, one question decides:
 * gateways and restricted keys refuse lookups of models that answer.
 *
 * @param asOf the time that the question states
 */
export async function checkModels(
  providers: Readonly<Record<CouncilModel, ModelProvider>>,
  catalogue: ModelCatalogue,
  asOf: string,
): Promise<UnservedModel[]> {
  const { signal } = new AbortController();
  const checked = await Promise.all(
    councilModels.map(async model => {
      if (await isListed(providers[model], { timeoutMs: lookupTimeoutMs, signal })) return [];
      const { modelId, limits } = catalogue[model];
      const trial = await tryModel(providers[model], {
        ...limits.opinions,
        timeoutMs: questionTimeoutMs,
        signal,
        asOf,
      });
      return trial.works ? [] : [{ model, modelId, reason: reasonOf(trial) }];
    }),
  );
  return checked.flat();
}

async function isListed(provider: ModelProvider, limits: CallLimits): Promise<boolean> {
  try {
    await provider.checkModel(limits);
    return true;
  } catch (error) {
    if (error instanceof ProviderError) return false;
    throw error;
  }
}

function reasonOf({ kind, status }: FailedTrial): string {
  return status === null ? kind : `${kind} (HTTP ${status})`;
}

export type Trial = { readonly works: true; readonly modelId: string } | FailedTrial;

export interface FailedTrial {
  readonly works: false;
  readonly kind: DropoutKind;
  readonly status: number | null;
}

/**
 * Makes one cheap call with the prompt, schema and parser of an opinion, about a coin toss. Detects a bad
 * key, an unknown model id, an exhausted balance and a schema that the vendor rejects. Costs a few hundred
 * tokens.
 */
export async function tryModel(
  provider: ModelProvider,
  { asOf, ...limits }: CallLimits & AnswerLimits & { readonly asOf: string },
): Promise<Trial> {
  const set = outcomeSet(coinToss);
  const { prompt, schemaName, schema, parse } = opinionQuestion(
    { event: coinToss, set, asOf, seed: asOf },
    null,
  );
  try {
    const answer = await provider.ask({ ...prompt, schemaName, schema, ...limits });
    return parse(answer.text).ok
      ? { works: true, modelId: answer.modelId }
      : { works: false, kind: 'invalid_answer', status: 200 };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { works: false, kind: error.kind, status: error.status };
  }
}

const coinToss = trialEvent({
  title: 'Does a fair coin show heads at its next toss?',
  description: 'A trial question. Answer in as few words as the format allows: no reasoning is needed.',
  sides: ['Heads', 'Tails'],
});

export interface TrialQuestion {
  readonly title: string;
  readonly description: string;
  readonly sides: Market['sides'];
}

/** An event of one market without prices, about which a model is asked to see whether it answers. */
export function trialEvent({ sides, ...question }: TrialQuestion): MarketEvent {
  return oneMarketEvent({ id: 'trial', ...question }, { name: sides[0], sides });
}
