import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { ReportActivities } from '../activities/report/report-activities.js';
import { chairmen, type Dropout, dropoutKinds, truncatedDetail } from '../council/deliberation/members.js';
import type { Stage } from '../council/deliberation/stages.js';
import type { CouncilModel } from '../council/models.js';
import { modelCall } from './activity-options.js';
import type { CouncilReportInput } from './report-interface.js';

/**
 * The three stages in which the models are called. Each call is an activity. A model that fails, or uses up the time of
 * its stage, drops out. Cancellation of the run is never counted as a dropout, and neither is a failure of ours: it
 * ends the run.
 */
export class Deliberation {
  readonly dropouts: Dropout[] = [];
  private readonly input: CouncilReportInput;

  constructor(input: CouncilReportInput) {
    this.input = input;
  }

  /** Stage 1. @returns the models whose opinion counts. */
  async gatherOpinions(): Promise<CouncilModel[]> {
    const { reportId, models, stageDeadlinesMs } = this.input;
    const budgetMs = stageDeadlinesMs.opinions;
    return this.callAll('opinions', models, model =>
      this.activitiesFor('opinions', model, budgetMs).askOpinion({
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
      this.activitiesFor('cross_review', model, budgetMs).askReview({
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
      const { askSynthesis } = this.activitiesFor('synthesis', model, budgetMs);
      const call = askSynthesis({ reportId, model, budgetMs, members, reviewers, of: 1 });
      if (await this.answersInTime('synthesis', model, budgetMs, call)) return model;
    }
    return null;
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
    try {
      await call;
      return true;
    } catch (error) {
      const reason = dropoutReason(error);
      if (reason === null) throw error;
      const waitedSeconds = Math.round(budgetMs / 1_000);
      this.dropouts.push({ model, stage, waitedSeconds, ...reason });
      return false;
    }
  }

  private activitiesFor(stage: Stage, model: CouncilModel, budgetMs: number): ReportActivities {
    const taskQueue = this.input.modelQueues?.[model];
    return proxyActivities<ReportActivities>({
      ...(taskQueue === undefined ? {} : { taskQueue }),
      ...modelCall(budgetMs),
      summary: `${stage.replace('_', '-')} · ${model}`,
    });
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
