import {
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { ResearchResult } from '../activities/report/gather-evidence.js';
import type { ModelCallActivities } from '../activities/report/report-activities.js';
import {
  chairmen,
  type Dropout,
  dropoutKinds,
  type FailedCall,
  truncatedDetail,
} from '../council/deliberation/members.js';
import type { CallStage, Stage } from '../council/deliberation/stages.js';
import type { CouncilModel } from '../council/models.js';
import { dispensableCall, modelCall } from './activity-options.js';
import type { CouncilReportInput, ResearchPlan } from './report-interface.js';

/**
 * The stages in which the models are called: the search, the three of the deliberation, and the explanation beside the
 * last. Each call is an activity. A
 * model that fails, or uses up the time of its stage, drops out; a search that fails loses no member. Cancellation of the
 * run is never counted as a dropout, and neither is a failure of ours: it ends the run.
 */
export class Deliberation {
  readonly dropouts: Dropout[] = [];
  private readonly input: CouncilReportInput;

  constructor(input: CouncilReportInput) {
    this.input = input;
  }

  /**
   * Before stage 1: lets members search the web, side by side. The run goes on with what there is: a search that fails
   * is stated in the report, and its member still gives an opinion.
   */
  async research({ searchers, deadlineMs: budgetMs }: ResearchPlan): Promise<ResearchResult> {
    const { reportId } = this.input;
    const failures = await Promise.all(
      searchers.map(model => {
        const { askResearch } = this.activitiesFor('research', model, modelCall(budgetMs));
        return failureOf(model, budgetMs, askResearch({ reportId, model, budgetMs, of: searchers.length }));
      }),
    );
    return {
      reportId,
      searched: searchers.filter((_, index) => failures[index] === null),
      failed: failures.filter(failure => failure !== null),
    };
  }

  /** Stage 1. @returns the models whose opinion counts. */
  async gatherOpinions(): Promise<CouncilModel[]> {
    const { reportId, models, stageDeadlinesMs } = this.input;
    const budgetMs = stageDeadlinesMs.opinions;
    return this.callAll('opinions', models, model =>
      this.activitiesFor('opinions', model, modelCall(budgetMs)).askOpinion({
        reportId,
        model,
        budgetMs,
        of: models.length,
      }),
    );
  }

  /** Stage 2. @returns the members whose review counts. */
  async crossReview(members: readonly CouncilModel[]): Promise<CouncilModel[]> {
    const { reportId, stageDeadlinesMs } = this.input;
    const budgetMs = stageDeadlinesMs.cross_review;
    return this.callAll('cross_review', members, model =>
      this.activitiesFor('cross_review', model, modelCall(budgetMs)).askReview({
        reportId,
        model,
        budgetMs,
        members,
        of: members.length,
      }),
    );
  }

  /**
   * Stage 3. The first chairman has half of the stage's time, the next one half of the rest, so that a chairman that
   * hangs always leaves time for another.
   * @returns the author of the synthesis; null when every chairman failed.
   */
  async synthesise(
    members: readonly CouncilModel[],
    reviewers: readonly CouncilModel[],
  ): Promise<CouncilModel | null> {
    const { reportId, stageDeadlinesMs } = this.input;
    let budgetMs = stageDeadlinesMs.synthesis;
    for (const model of chairmen(members, this.dropouts)) {
      budgetMs = Math.ceil(budgetMs / 2);
      const { askSynthesis } = this.activitiesFor('synthesis', model, modelCall(budgetMs));
      const call = askSynthesis({ reportId, model, budgetMs, members, reviewers, of: 1 });
      if (await this.answersInTime('synthesis', model, budgetMs, call)) return model;
    }
    return null;
  }

  /**
   * Beside stage 3: the member next in the chairman's order says why the market differs, if it does. It is shown the price,
   * so no other member reads its answer. The report does without it: no failure of it counts, and it has no longer than the
   * first chairman.
   */
  async explainGap(members: readonly CouncilModel[], reviewers: readonly CouncilModel[]): Promise<void> {
    const { reportId, stageDeadlinesMs, explainsGap = false } = this.input;
    const [, model] = chairmen(members, this.dropouts);
    if (!explainsGap || model === undefined) return;
    const budgetMs = Math.ceil(stageDeadlinesMs.synthesis / 2);
    const { askMarketGap } = this.activitiesFor('market_gap', model, dispensableCall(budgetMs));
    await askMarketGap({ reportId, model, budgetMs, members, reviewers, of: 1 }).catch(error => {
      if (isCancellation(error)) throw error;
    });
  }

  private async callAll(
    stage: Stage,
    models: readonly CouncilModel[],
    call: (model: CouncilModel) => Promise<unknown>,
  ): Promise<CouncilModel[]> {
    const budgetMs = this.input.stageDeadlinesMs[stage];
    const answered = await Promise.all(
      models.map(model => this.answersInTime(stage, model, budgetMs, call(model))),
    );
    return models.filter((_, index) => answered[index]);
  }

  /**
   * Waits for one call. A member's failure is recorded as a dropout, so that it does not end the other calls of the
   * stage.
   * @throws every other failure
   */
  private async answersInTime(
    stage: Stage,
    model: CouncilModel,
    budgetMs: number,
    call: Promise<unknown>,
  ): Promise<boolean> {
    const failure = await failureOf(model, budgetMs, call);
    if (failure !== null) this.dropouts.push({ ...failure, stage });
    return failure === null;
  }

  private activitiesFor(
    stage: CallStage,
    model: CouncilModel,
    options: ActivityOptions,
  ): ModelCallActivities {
    const taskQueue = this.input.modelQueues?.[model];
    return proxyActivities<ModelCallActivities>({
      ...(taskQueue === undefined ? {} : { taskQueue }),
      ...options,
      summary: `${stage.replace('_', '-')} · ${model}`,
    });
  }
}

/**
 * Waits for one call. @returns how it failed; null if it succeeded
 * @throws every failure that is not the member's
 */
async function failureOf(
  model: CouncilModel,
  budgetMs: number,
  call: Promise<unknown>,
): Promise<FailedCall | null> {
  try {
    await call;
    return null;
  } catch (error) {
    const reason = dropoutReason(error);
    if (reason === null) throw error;
    return { model, waitedSeconds: Math.round(budgetMs / 1_000), ...reason };
  }
}

/**
 * Null unless the activity itself says that the member failed. A time-out of Temporal's, for example, means that no
 * worker or no database was there for minutes.
 */
function dropoutReason(error: unknown): Pick<Dropout, 'kind' | 'truncated'> | null {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure)) return null;
  const kind = dropoutKinds.find(each => each === cause.type);
  if (kind === undefined) return null;
  return cause.details?.includes(truncatedDetail) ? { kind, truncated: true } : { kind };
}
