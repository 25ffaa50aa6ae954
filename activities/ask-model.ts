import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Stage } from '../council/deliberation.js';
import type { DropoutKind } from '../council/dropout.js';
import type { Parsed } from '../council/parsed.js';
import type { Prompt } from '../council/prompt.js';
import { repairPrompt } from '../council/repair-prompt.js';
import { hasAnswered } from '../db/deliberation.js';
import { enterStage, keepStageResult } from '../db/run.js';
import type { ModelAnswer } from '../providers/model-provider.js';
import { type Asking, askOnce } from './ask-once.js';
import { attemptDeadlineMs } from './attempt-deadline.js';
import { chooseProvider } from './choose-provider.js';
import type { ActivityDependencies } from './dependencies.js';
import type { Answered, ModelCall } from './report-activities.js';
import { withHeartbeat } from './with-heartbeat.js';

export interface Question<Value extends object> extends Pick<Asking, 'schemaName' | 'schema'> {
  readonly prompt: Prompt;
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
    const begunMs = deps.now().getTime();
    const deadlineMs = attemptDeadlineMs(begunMs);
    await enterStage(deps.db, reportId, stage, call.of);
    const question = await prepare();
    const chosen = await chooseProvider(deps, call);
    const asking = { deps, stage, call, deadlineMs, ...chosen, ...question };
    const { answer, value } = await askUntilValid(asking, question);
    const now = deps.now();
    const latencyMs = now.getTime() - begunMs;
    const attempts = activityInfo().attempt;
    const { modelId } = answer;
    await keepStageResult(deps.db, {
      reportId,
      stage,
      model,
      modelId,
      answer: value,
      attempts,
      latencyMs,
      now,
    });
    return { model, seconds: latencyMs / 1_000 };
  });
}

async function askUntilValid<Value extends object>(
  asking: Asking,
  { prompt, parse }: Question<Value>,
): Promise<{ answer: ModelAnswer; value: Value }> {
  const answer = await askOnce(asking, prompt);
  const parsed = parse(answer.text);
  if (parsed.ok) return { answer, value: parsed.value };
  const repaired = await askOnce(asking, repairPrompt(prompt, answer.text, parsed.problems));
  const reparsed = parse(repaired.text);
  if (reparsed.ok) return { answer: repaired, value: reparsed.value };
  throw ApplicationFailure.nonRetryable(
    reparsed.problems.join('; ').slice(0, problemsMaxChars),
    'invalid_answer' satisfies DropoutKind,
  );
}

const problemsMaxChars = 500;
