import { log } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { truncatedDetail } from '../../council/deliberation/members.js';
import type { CallStage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import type { Prompt } from '../../council/prompts/prompt.js';
import type { Db } from '../../db/database.js';
import { type CallOutcome, type ProviderCall, recordProviderCall } from '../../db/pricing/provider-calls.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { AnswerLimits } from '../../providers/answer-limits.js';
import { atMostUsdMicros, costUsdMicros, type ModelCatalogue } from '../../providers/model-catalogue.js';
import {
  type CallLimits,
  type ModelAnswer,
  type ModelUsage,
  ProviderError,
} from '../../providers/model-provider.js';
import { searchesMax, truncatedAnswerRoomFactor } from '../../purchase/limits.js';
import type { CallBudget } from './call-budget.js';
import { inChatSpan, type SpannedCall } from './call-spans.js';
import { keepStoring } from './keep-storing.js';
import type { SharedCall } from './shared-calls.js';

export interface ModelCall {
  readonly reportId: number;
  readonly model: CouncilModel;
  /** How many models are asked at this stage. */
  readonly of: number;
  /** Milliseconds that the member has, over all attempts. See {@link CallBudget}. */
  readonly budgetMs: number;
}

export interface ReviewCall extends ModelCall {
  /** The models whose opinions are reviewed, including the reviewer. */
  readonly members: readonly CouncilModel[];
}

export interface SynthesisCall extends ReviewCall {
  readonly reviewers: readonly CouncilModel[];
}

export interface CallDependencies {
  readonly db: Db;
  readonly catalogue: ModelCatalogue;
  readonly metrics: Metrics;
  /** Stored with every call. */
  readonly simulated: boolean;
  /** Whether traces contain prompts and answers. */
  readonly capturesContent: boolean;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** One request to one model at one stage. */
export interface Asking<Answer extends ModelAnswer> extends SharedCall, SpannedCall {
  readonly deps: CallDependencies;
  readonly stage: CallStage;
  readonly call: ModelCall;
  /** The requested model ID: recorded when the answer names none. */
  readonly modelId: string;
  readonly send: (prompt: Prompt, limits: CallLimits & AnswerLimits) => Promise<Answer>;
}

export interface AnsweredOnce<Answer> {
  readonly answer: Answer;
  /** The call and its cost. The caller records it, whether the answer is valid or not: both are paid for. */
  readonly call: ProviderCall;
}

/**
 * One HTTP call to one model, and a second one with more room if the answer was cut off at its limit. A call that failed
 * or was aborted is recorded here, with what it may have cost.
 * @throws ApplicationFailure whose type is a dropout kind; a cancellation is rethrown unchanged.
 */
export async function callModel<Answer extends ModelAnswer>(
  asking: Asking<Answer>,
  prompt: Prompt,
): Promise<AnsweredOnce<Answer>> {
  const { deps, call, budget, signal } = asking;
  if (budget.leftMs() <= 0)
    throw asFailure(new ProviderError({ kind: 'timed_out', retryable: false }), budget);
  signal.throwIfAborted();
  const sent = { begunMs: deps.now().getTime(), prompt, limits: limitsOf(asking) };
  try {
    const answer = await budget.during(() => send(asking, sent));
    return { answer, call: callOf(asking, sent, { outcome: 'answered', usage: answer, unreported: false }) };
  } catch (error) {
    if (!(error instanceof ProviderError)) {
      if (signal.aborted)
        await record(asking, callOf(asking, sent, { outcome: 'aborted', usage: null, unreported: true }));
      throw error;
    }
    const { reportId, model } = call;
    const { kind, truncated, usage, unreported } = error;
    log.warn('a call to a model failed', { reportId, model, stage: asking.stage, kind, truncated });
    await record(asking, callOf(asking, sent, { outcome: kind, usage, unreported }));
    if (truncated && budget.takeMoreRoom()) return callModel(asking, prompt);
    throw asFailure(error, budget);
  }
}

/** A request that was sent. */
interface Sent {
  readonly begunMs: number;
  readonly prompt: Prompt;
  readonly limits: AnswerLimits;
}

function limitsOf({ deps, stage, call, budget }: Asking<ModelAnswer>): AnswerLimits {
  const limits = deps.catalogue[call.model].limits[stage];
  const room = budget.hasMoreRoom() ? truncatedAnswerRoomFactor : 1;
  return { ...limits, maxOutputTokens: limits.maxOutputTokens * room };
}

function send<Answer extends ModelAnswer>(asking: Asking<Answer>, sent: Sent): Promise<Answer> {
  const { budget, signal } = asking;
  return inChatSpan(asking, sent, () =>
    asking.send(sent.prompt, { ...sent.limits, timeoutMs: Math.max(1, budget.leftMs()), signal }),
  );
}

/** Records a call that gave no valid answer. It may have cost something all the same. */
export function record(asking: Asking<ModelAnswer>, call: ProviderCall): Promise<void> {
  return keepStoring(asking, call, () => recordProviderCall(asking.deps.db, call));
}

/** The record of the call. Also updates the metrics. */
function callOf(
  { deps, stage, call: { reportId, model }, modelId }: Asking<ModelAnswer>,
  sent: Sent,
  { outcome, usage, unreported }: Returned,
): ProviderCall {
  const entry = deps.catalogue[model];
  const now = deps.now();
  const latencyMs = Math.max(0, now.getTime() - sent.begunMs);
  measure(deps.metrics, { model, stage, outcome, seconds: latencyMs / 1_000, usage });
  const { system, user } = sent.prompt;
  const { maxOutputTokens } = sent.limits;
  const maxSearches = stage === 'research' ? searchesMax : 0;
  return {
    callId: deps.newId(),
    reportId,
    stage,
    model,
    modelId: usage?.modelId ?? modelId,
    outcome,
    inputTokens: usage?.inputTokens ?? 0,
    cachedInputTokens: usage?.cachedInputTokens ?? 0,
    cacheWriteTokens: usage?.cacheWriteTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    searches: usage?.searches ?? 0,
    costUsdMicros: usage === null ? 0 : costUsdMicros(entry, usage),
    estimatedUsdMicros: unreported
      ? atMostUsdMicros(entry, { prompt: system + user, maxOutputTokens, maxSearches })
      : 0,
    latencyMs,
    simulated: deps.simulated,
    now,
  };
}

/** How a call ended, and what its vendor said of its usage. */
interface Returned extends Pick<ProviderError, 'usage' | 'unreported'> {
  readonly outcome: CallOutcome;
}

interface Call {
  readonly model: CouncilModel;
  readonly stage: CallStage;
  readonly outcome: CallOutcome;
  readonly seconds: number;
  readonly usage: ModelUsage | null;
}

function measure(
  { modelCallSeconds, modelTokens, modelCachedTokens, modelSearches }: Metrics,
  { seconds, usage, ...call }: Call,
): void {
  modelCallSeconds.observe(call, seconds);
  if (usage === null) return;
  modelTokens.inc({ model: call.model, direction: 'input' }, usage.inputTokens);
  modelTokens.inc({ model: call.model, direction: 'output' }, usage.outputTokens);
  modelCachedTokens.inc({ model: call.model }, usage.cachedInputTokens ?? 0);
  modelSearches.inc({ model: call.model }, usage.searches ?? 0);
}

/**
 * Maps a provider's error to Temporal's retry rules. Permanent errors end the activity; the others are retried after a
 * pause, unless the member's time ends before that. The category is benign, because a dropout is an expected failure.
 */
function asFailure(error: ProviderError, budget: CallBudget): ApplicationFailure {
  const pauseMs = error.retryable ? budget.takePause(error.retryAfterMs) : null;
  return ApplicationFailure.create({
    message: error.message,
    type: error.kind,
    nonRetryable: pauseMs === null,
    ...(error.truncated ? { details: [truncatedDetail] } : {}),
    category: ApplicationFailureCategory.BENIGN,
    ...(pauseMs === null ? {} : { nextRetryDelay: pauseMs }),
  });
}
