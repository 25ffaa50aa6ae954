import { Context } from '@temporalio/activity';
import type { Stage } from '../council/deliberation.js';
import type { DropoutKind } from '../council/dropout.js';
import type { Prompt } from '../council/prompt.js';
import { recordProviderCall } from '../db/provider-calls.js';
import { costUsdMicros } from '../providers/cost-usd-micros.js';
import {
  type JsonSchema,
  type ModelAnswer,
  type ModelProvider,
  type ModelUsage,
  ProviderError,
} from '../providers/model-provider.js';
import type { ActivityDependencies } from './dependencies.js';
import { asFailure } from './model-failure.js';
import type { ModelCall } from './report-activities.js';

/** One model being asked at one stage. */
export interface Asking {
  readonly deps: ActivityDependencies;
  readonly stage: Stage;
  readonly call: ModelCall;
  readonly provider: ModelProvider;
  /** The name it is asked under: noted where no answer tells. */
  readonly modelId: string;
  /** When this attempt must be over, by our own clock; see `attempt-deadline.ts`. */
  readonly deadlineMs: number;
  readonly schemaName: string;
  readonly schema: JsonSchema;
}

/**
 * One HTTP call to one model, recorded whatever becomes of it, with what it cost: an answer that cannot be used is
 * paid for as well.
 * @throws ApplicationFailure whose type is a dropout kind; the reason of a cancellation as it is.
 */
export async function askOnce(asking: Asking, prompt: Prompt): Promise<ModelAnswer> {
  const { deps, call, provider, schemaName, schema } = asking;
  const begunMs = deps.now().getTime();
  try {
    const answer = await provider.ask({
      ...prompt,
      schemaName,
      schema,
      maxOutputTokens: deps.catalogue[call.model].maxOutputTokens,
      timeoutMs: timeLeftMs(asking),
      signal: Context.current().cancellationSignal,
    });
    await record(asking, begunMs, 'answered', answer);
    return answer;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await record(asking, begunMs, error.kind, error.usage);
    throw asFailure(error, timeLeftMs(asking));
  }
}

function timeLeftMs({ deps, deadlineMs }: Asking): number {
  return Math.max(1, deadlineMs - deps.now().getTime());
}

async function record(
  { deps, stage, call: { reportId, model }, modelId }: Asking,
  begunMs: number,
  outcome: 'answered' | DropoutKind,
  usage: ModelUsage | null,
): Promise<void> {
  const entry = deps.catalogue[model];
  const now = deps.now();
  await recordProviderCall(deps.db, {
    reportId,
    stage,
    model,
    modelId: usage?.modelId ?? modelId,
    outcome,
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    costUsdMicros: usage === null ? 0 : costUsdMicros(entry, usage.inputTokens, usage.outputTokens),
    latencyMs: now.getTime() - begunMs,
    simulated: deps.simulated,
    now,
  });
}
