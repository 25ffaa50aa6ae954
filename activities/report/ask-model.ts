import { log } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { DropoutKind } from '../../council/deliberation/members.js';
import type { QuestionStage } from '../../council/deliberation/stages.js';
import type { CouncilModel } from '../../council/models.js';
import { repairPrompt } from '../../council/prompts/prompt.js';
import type { StageQuestion } from '../../council/questions/stage-questions.js';
import type { RunFailureCode } from '../../council/report.js';
import type { ProviderCall } from '../../db/pricing/provider-calls.js';
import { hasAnswered } from '../../db/reports/deliberation.js';
import { saveStageResult } from '../../db/reports/run.js';
import type { ModelAnswer } from '../../providers/model-provider.js';
import { type Asking, type CallDependencies, callModel, type ModelCall, record } from './call-model.js';
import { inAgentSpan } from './call-spans.js';
import { type ChooseDependencies, chooseProvider } from './choose-provider.js';
import { keepStoring } from './keep-storing.js';
import { notingLoss } from './note-loss.js';
import type { ShareCall, SharedCall } from './shared-calls.js';
import type { OpenedStage, StageReader } from './stage-reader.js';

export interface AskDependencies extends CallDependencies, ChooseDependencies {
  readonly readStage: StageReader;
  readonly shareCall: ShareCall<Answered>;
}

export interface Answered {
  readonly model: CouncilModel;
  /** Seconds that the vendor took for a valid answer in this attempt, including the repair. */
  readonly seconds: number;
}

/**
 * Asks one model at one stage: one call, at most one repair. Stores the answer before the activity completes; an
 * answer that an earlier attempt stored is not paid for twice. Until the model is called, every error is retried.
 * @param prepare returns null if there is nothing to ask
 * @param waitFor how an attempt waits for the stored answer
 * @throws ApplicationFailure whose type is a dropout kind if the member failed, and anything else if we did. Its
 * message never quotes the vendor.
 */
export async function askModel<Value extends object>(
  deps: AskDependencies,
  stage: QuestionStage,
  call: ModelCall,
  prepare: (opened: OpenedStage) => StageQuestion<Value> | null,
  waitFor?: (answered: Promise<Answered>) => Promise<Answered>,
): Promise<Answered> {
  const { reportId, model } = call;
  const ask = async (shared: SharedCall) => {
    const opened = await deps.readStage({ reportId, stage, of: call.of });
    if (hasAnswered(opened.run.deliberation, stage, model)) return { model, seconds: 0 };
    if (opened.run.status !== 'processing') throw runHasEnded();
    const question = prepare(opened);
    if (question === null) return { model, seconds: 0 };
    const { schemaName, schema } = question;
    const { provider, ...route } = await chooseProvider(deps, model, opened.run);
    const send: ModelAsking['send'] = (prompt, limits) =>
      provider.ask({ ...prompt, schemaName, schema, ...limits });
    const asking = { deps, stage, call, ...shared, ...route, send };
    return inAgentSpan(asking, () => askAndStore(asking, question).catch(asInternal));
  };
  return notingLoss(deps.db, stage, call, deps.shareCall({ ...call, stage }, ask, waitFor));
}

type ModelAsking = Asking<ModelAnswer>;

async function askAndStore<Value extends object>(
  asking: ModelAsking,
  question: StageQuestion<Value>,
): Promise<Answered> {
  const { deps, budget } = asking;
  const { value, call } = await askUntilValid(asking, question);
  const latencyMs = budget.calledInAttemptMs();
  const now = deps.now();
  const stored = await keepStoring(asking, call, () =>
    saveStageResult(deps.db, { answer: value, latencyMs, call, now }),
  );
  if (stored === 'run_ended') throw runHasEnded();
  return { model: call.model, seconds: latencyMs / 1_000 };
}

/**
 * Asks again once if the answer is invalid or has flaws. A flawed answer is used if the second one is no better: a member
 * is not lost for it.
 */
async function askUntilValid<Value extends object>(
  asking: ModelAsking,
  { prompt, parse }: StageQuestion<Value>,
): Promise<ValidAnswer<Value>> {
  const { answer, call } = await callModel(asking, prompt);
  const parsed = parse(answer.text);
  const problems = parsed.ok ? (parsed.flaws ?? []) : parsed.problems;
  if (parsed.ok && problems.length === 0) return { value: parsed.value, call };
  await record(asking, call);
  const flawed = parsed.ok ? { value: parsed.value, call } : null;
  const repair = repairPrompt(prompt, answer.text, problems);
  const repaired = await callModel(asking, repair).catch(error => keepFlawed(error, flawed));
  if ('value' in repaired) return repaired;
  const reparsed = parse(repaired.answer.text);
  if (reparsed.ok) return { value: reparsed.value, call: repaired.call };
  await record(asking, repaired.call);
  if (flawed !== null) return flawed;
  throw ApplicationFailure.nonRetryable(
    reparsed.problems.join('; ').slice(0, problemsMaxChars),
    'invalid_answer' satisfies DropoutKind,
  );
}

interface ValidAnswer<Value> {
  readonly value: Value;
  readonly call: ProviderCall;
}

/** A second call that fails costs the member nothing if its first answer can be used. */
function keepFlawed<Value>(error: unknown, flawed: ValidAnswer<Value> | null): ValidAnswer<Value> {
  if (flawed === null || !(error instanceof ApplicationFailure)) throw error;
  return flawed;
}

const problemsMaxChars = 500;

export function runHasEnded(): ApplicationFailure {
  return ApplicationFailure.nonRetryable('the report has ended', 'internal' satisfies RunFailureCode);
}

/**
 * After a call, an error that is neither the vendor's nor a cancellation is a defect: a retry would pay the vendor
 * again.
 */
export function asInternal(error: unknown): never {
  if (error instanceof TemporalFailure) throw error;
  log.error('a step failed after a call to a model', { err: error });
  throw ApplicationFailure.nonRetryable(
    'the step failed after a call to the model',
    'internal' satisfies RunFailureCode,
  );
}
