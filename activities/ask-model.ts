import { activityInfo, Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Stage } from '../council/deliberation.js';
import type { DropoutKind } from '../council/dropout.js';
import type { Parsed } from '../council/parsed.js';
import type { Prompt } from '../council/prompt.js';
import { repairPrompt } from '../council/repair-prompt.js';
import { hasAnswered } from '../db/deliberation.js';
import { recordProviderCall } from '../db/provider-calls.js';
import { enterStage, keepStageResult } from '../db/run.js';
import { costUsdMicros } from '../providers/cost-usd-micros.js';
import { type JsonSchema, type ModelAnswer, ProviderError } from '../providers/model-provider.js';
import type { ActivityDependencies } from './dependencies.js';
import { asFailure } from './model-failure.js';
import type { Answered, ModelCall } from './report-activities.js';
import { withHeartbeat } from './with-heartbeat.js';

export interface Question<Value extends object> {
  readonly prompt: Prompt;
  readonly schemaName: string;
  readonly schema: JsonSchema;
  readonly parse: (text: string) => Parsed<Value>;
}

/**
 * Asks one model at one stage: one call, at most one repair, and the answer is in the database before the
 * activity is done. An answer that is already there is not asked for again: it was paid for.
 * @throws ApplicationFailure whose type is a dropout kind, and which carries no word of the vendor's.
 */
export async function askModel<Value extends object>(
  deps: ActivityDependencies,
  stage: Stage,
  call: ModelCall,
  prepare: () => Promise<Question<Value>>,
): Promise<Answered> {
  const { reportId, model } = call;
  if (await hasAnswered(deps.db, reportId, stage, model)) return { model, seconds: 0 };
  return withHeartbeat(async () => {
    await enterStage(deps.db, reportId, stage, call.of);
    const question = await prepare();
    const begun = deps.now();
    const { answer, value } = await askUntilValid(deps, stage, call, question);
    const now = deps.now();
    const latencyMs = now.getTime() - begun.getTime();
    await keepStageResult(deps.db, {
      reportId,
      stage,
      model,
      modelId: answer.modelId,
      answer: value,
      attempts: activityInfo().attempt,
      latencyMs,
      now,
    });
    return { model, seconds: latencyMs / 1_000 };
  });
}

async function askUntilValid<Value extends object>(
  deps: ActivityDependencies,
  stage: Stage,
  call: ModelCall,
  question: Question<Value>,
): Promise<{ answer: ModelAnswer; value: Value }> {
  const answer = await askOnce(deps, stage, call, question, question.prompt);
  const parsed = question.parse(answer.text);
  if (parsed.ok) return { answer, value: parsed.value };
  const repair = repairPrompt(question.prompt, answer.text, parsed.problems);
  const repaired = await askOnce(deps, stage, call, question, repair);
  const reparsed = question.parse(repaired.text);
  if (reparsed.ok) return { answer: repaired, value: reparsed.value };
  throw ApplicationFailure.nonRetryable(reparsed.problems.join('; ').slice(0, 500), 'invalid_answer');
}

/** One HTTP call, recorded whatever becomes of it. */
async function askOnce<Value extends object>(
  deps: ActivityDependencies,
  stage: Stage,
  { reportId, model }: ModelCall,
  { schemaName, schema }: Question<Value>,
  prompt: Prompt,
): Promise<ModelAnswer> {
  const entry = deps.catalogue[model];
  const begun = deps.now().getTime();
  const record = (outcome: 'answered' | DropoutKind, answer: ModelAnswer | null) =>
    recordProviderCall(deps.db, {
      reportId,
      stage,
      model,
      modelId: answer?.modelId ?? entry.modelId,
      outcome,
      inputTokens: answer?.inputTokens ?? 0,
      outputTokens: answer?.outputTokens ?? 0,
      costUsdMicros: answer === null ? 0 : costUsdMicros(entry, answer.inputTokens, answer.outputTokens),
      latencyMs: deps.now().getTime() - begun,
      simulated: deps.simulated,
      now: deps.now(),
    });
  try {
    const answer = await deps.providers[model].ask({
      ...prompt,
      schemaName,
      schema,
      maxOutputTokens: entry.maxOutputTokens,
      timeoutMs: timeLeftMs(begun),
      signal: Context.current().cancellationSignal,
    });
    await record('answered', answer);
    return answer;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    await record(error.kind, null);
    throw asFailure(error, timeLeftMs(deps.now().getTime()));
  }
}

/** Ends the HTTP call a little before Temporal would end the activity, so that the failure has a name. */
const namedFailureMarginMs = 250;

function timeLeftMs(nowMs: number): number {
  const { scheduledTimestampMs, scheduleToCloseTimeoutMs } = activityInfo();
  return Math.max(1, scheduledTimestampMs + scheduleToCloseTimeoutMs - nowMs - namedFailureMarginMs);
}
