import { type Attributes, SpanKind } from '@opentelemetry/api';
import { Context, log } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { DropoutKind } from '../../council/deliberation/members.js';
import type { Stage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import type { Prompt } from '../../council/prompts/prompt.js';
import { type ProviderCall, recordProviderCall } from '../../db/pricing/provider-calls.js';
import { costUsdMicros } from '../../providers/model-catalogue.js';
import {
  type JsonSchema,
  type ModelAnswer,
  type ModelProvider,
  type ModelUsage,
  ProviderError,
} from '../../providers/model-provider.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { inSpan, type SpanOfWork } from '../../telemetry/tracing.js';
import type { ActivityDependencies } from './dependencies.js';
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

export interface AnsweredOnce {
  readonly answer: ModelAnswer;
  /** What was asked and what it cost: to be recorded by whoever keeps the answer, or finds that it cannot be used. Both are paid for. */
  readonly call: ProviderCall;
}

/**
 * One HTTP call to one model. One that fails is recorded here, with what it cost.
 * @throws ApplicationFailure whose type is a dropout kind; the reason of a cancellation as it is.
 */
export async function callModel(asking: Asking, prompt: Prompt): Promise<AnsweredOnce> {
  const { deps, call, provider, schemaName, schema } = asking;
  const begunMs = deps.now().getTime();
  try {
    const answer = await inSpan(spanOf(asking), async span => {
      const given = await provider.ask({
        ...prompt,
        schemaName,
        schema,
        maxOutputTokens: deps.catalogue[call.model].maxOutputTokens,
        timeoutMs: timeLeftMs(asking),
        signal: Context.current().cancellationSignal,
      });
      span.setAttributes(usageOf(given));
      return given;
    });
    return { answer, call: callOf(asking, begunMs, 'answered', answer) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { reportId, model } = call;
    log.warn('a call to a model failed', { reportId, model, stage: asking.stage, kind: error.kind });
    await recordProviderCall(deps.db, callOf(asking, begunMs, error.kind, error.usage));
    throw asFailure(error, timeLeftMs(asking));
  }
}

/** By OpenTelemetry's conventions for calls to generative models. Neither prompt nor answer is in it. */
function spanOf({ call: { reportId, model }, stage, modelId }: Asking): SpanOfWork {
  return {
    name: `chat ${modelId}`,
    kind: SpanKind.CLIENT,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': modelId,
      'council.model': model,
      'council.stage': stage,
      'council.report_id': reportId,
    },
  };
}

function usageOf({ modelId, inputTokens, outputTokens }: ModelUsage): Attributes {
  return {
    'gen_ai.response.model': modelId,
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
  };
}

function timeLeftMs({ deps, deadlineMs }: Asking): number {
  return Math.max(1, deadlineMs - deps.now().getTime());
}

/** Counts the call, too. */
function callOf(
  { deps, stage, call: { reportId, model }, modelId }: Asking,
  begunMs: number,
  outcome: 'answered' | DropoutKind,
  usage: ModelUsage | null,
): ProviderCall {
  const entry = deps.catalogue[model];
  const now = deps.now();
  measure(deps.metrics, { model, stage, outcome, seconds: (now.getTime() - begunMs) / 1_000, usage });
  return {
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
  };
}

interface Call {
  readonly model: CouncilModel;
  readonly stage: Stage;
  readonly outcome: 'answered' | DropoutKind;
  readonly seconds: number;
  readonly usage: ModelUsage | null;
}

function measure({ modelCallSeconds, modelTokens }: Metrics, { seconds, usage, ...call }: Call): void {
  modelCallSeconds.observe(call, seconds);
  if (usage === null) return;
  modelTokens.inc({ model: call.model, direction: 'input' }, usage.inputTokens);
  modelTokens.inc({ model: call.model, direction: 'output' }, usage.outputTokens);
}

/**
 * A provider's error as Temporal is to treat it: permanent ones end the call; the rest are tried again, when the
 * vendor asked for a pause after exactly that pause, unless the pause is longer than the stage has left.
 * Benign: a model dropping out is foreseen, and no alarm.
 */
function asFailure(error: ProviderError, timeLeftMs: number): ApplicationFailure {
  const wait = error.retryAfterMs;
  const hopeless = !error.retryable || timeLeftMs <= 1 || (wait !== null && wait >= timeLeftMs);
  return ApplicationFailure.create({
    message: error.message,
    type: error.kind,
    nonRetryable: hopeless,
    category: ApplicationFailureCategory.BENIGN,
    ...(hopeless || wait === null || wait === 0 ? {} : { nextRetryDelay: wait }),
  });
}
