import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Parsed } from '../../council/answers/parse-answer.js';
import type { DropoutKind } from '../../council/deliberation/members.js';
import type { Stage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import { type Prompt, repairPrompt } from '../../council/prompts/prompt.js';
import { type ProviderCall, recordProviderCall } from '../../db/pricing/provider-calls.js';
import { hasAnswered } from '../../db/reports/deliberation.js';
import { saveStageResult } from '../../db/reports/run.js';
import { withHeartbeat } from '../with-heartbeat.js';
import { type Asking, type CallDependencies, callModel, type ModelCall } from './call-model.js';
import { type ChooseDependencies, chooseProvider } from './choose-provider.js';
import type { OpenedStage, StageReader } from './stage-reader.js';

export interface AskDependencies extends CallDependencies, ChooseDependencies {
  readonly readStage: StageReader;
}

export interface Answered {
  readonly model: CouncilModel;
  /** Seconds from the start of the attempt to a valid answer, including the repair. */
  readonly seconds: number;
}

export interface Question<Value extends object> extends Pick<Asking, 'schemaName' | 'schema'> {
  readonly prompt: Prompt;
  readonly parse: (text: string) => Parsed<Value>;
}

/**
 * Asks one model at one stage: one call, at most one repair. Stores the answer before the activity completes; an
 * answer that an earlier attempt stored is not paid for twice.
 * @throws ApplicationFailure whose type is a dropout kind. Its message never quotes the vendor.
 */
export async function askModel<Value extends object>(
  deps: AskDependencies,
  stage: Stage,
  call: ModelCall,
  prepare: (opened: OpenedStage) => Question<Value>,
): Promise<Answered> {
  const { reportId, model } = call;
  const opened = await deps.readStage({ reportId, stage, of: call.of });
  if (hasAnswered(opened.run.deliberation, stage, model)) return { model, seconds: 0 };
  return withHeartbeat(async () => {
    const begunMs = deps.now().getTime();
    const deadlineMs = attemptDeadlineMs(begunMs);
    const question = prepare(opened);
    const chosen = await chooseProvider(deps, model, opened.run);
    const asking = { deps, stage, call, deadlineMs, ...chosen, ...question };
    const { value, call: lastCall } = await askUntilValid(asking, question);
    const now = deps.now();
    const latencyMs = now.getTime() - begunMs;
    await saveStageResult(deps.db, { answer: value, latencyMs, call: lastCall, now });
    return { model, seconds: latencyMs / 1_000 };
  });
}

async function askUntilValid<Value extends object>(
  asking: Asking,
  { prompt, parse }: Question<Value>,
): Promise<{ value: Value; call: ProviderCall }> {
  const { answer, call } = await callModel(asking, prompt);
  const parsed = parse(answer.text);
  if (parsed.ok) return { value: parsed.value, call };
  await recordProviderCall(asking.deps.db, call);
  const repaired = await callModel(asking, repairPrompt(prompt, answer.text, parsed.problems));
  const reparsed = parse(repaired.answer.text);
  if (reparsed.ok) return { value: reparsed.value, call: repaired.call };
  await recordProviderCall(asking.deps.db, repaired.call);
  throw ApplicationFailure.nonRetryable(
    reparsed.problems.join('; ').slice(0, problemsMaxChars),
    'invalid_answer' satisfies DropoutKind,
  );
}

const problemsMaxChars = 500;

/** The HTTP call ends this long before Temporal would end the activity, so that the failure has a precise kind. */
const deadlineMarginMs = 250;

/**
 * When the current attempt must end, by the worker's clock. The time used by earlier attempts is the difference of
 * two timestamps of the server, so that a skewed worker clock does not shorten the stage.
 */
function attemptDeadlineMs(nowMs: number): number {
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs, scheduleToCloseTimeoutMs } =
    activityInfo();
  const usedMs = currentAttemptScheduledTimestampMs - scheduledTimestampMs;
  return nowMs + scheduleToCloseTimeoutMs - usedMs - deadlineMarginMs;
}
