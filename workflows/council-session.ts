import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  TimeoutFailure,
} from '@temporalio/workflow';
import type {
  Answered,
  ConcludedReport,
  Council,
  ReportActivities,
} from '../activities/report/report-activities.js';
import { chairmen, type Dropout, type DropoutKind, dropoutKinds } from '../council/deliberation/members.js';
import type { Stage } from '../council/deliberation/stages.js';
import type { CouncilModel } from '../council/models.js';
import { bounded, modelCall } from './activity-options.js';
import { type CouncilReportInput, isLean } from './council-report-input.js';

/**
 * The council of one report: asks its models, stage by stage, each call a durable step of its own, and knows
 * who dropped out where. A model that is not back by its stage's deadline has dropped out; a cancelled run is
 * cancelled, and never mistaken for a model that failed.
 */
export class CouncilSession {
  private readonly dropouts: Dropout[] = [];
  private readonly order: CouncilReportInput;
  private readonly reportId: number;

  constructor(order: CouncilReportInput, reportId: number) {
    this.order = order;
    this.reportId = reportId;
  }

  /** Reads the market once; every number of the report is held against these prices and no others. */
  async freezeMarket(): Promise<void> {
    const market = this.steps({
      ...bounded(this.order.policies.market_read),
      summary: 'freeze the market',
    });
    await market.freezeMarket({ reportId: this.reportId });
  }

  /** Stage 1. @returns the models whose opinion counts. */
  async gatherOpinions(): Promise<CouncilModel[]> {
    const { models } = this.order;
    return this.askAll('opinions', models, (ask, model) =>
      ask.askOpinion({ reportId: this.reportId, model, of: models.length }),
    );
  }

  /** Stage 2. @returns the members whose review counts. */
  async crossReview(members: readonly CouncilModel[]): Promise<CouncilModel[]> {
    return this.askAll('cross_review', members, (ask, model) =>
      ask.askReview({ reportId: this.reportId, model, members, of: members.length }),
    );
  }

  /**
   * Stage 3. The first chairman has half of the stage's time, the next one half of what is left, so that a
   * chairman who hangs always leaves time for another.
   * @returns who wrote the synthesis; null when nobody could.
   */
  async synthesise(
    members: readonly CouncilModel[],
    reviewers: readonly CouncilModel[],
  ): Promise<CouncilModel | null> {
    let budgetMs = this.order.stageDeadlinesMs.synthesis;
    for (const model of chairmen(members, this.dropouts)) {
      budgetMs = Math.ceil(budgetMs / 2);
      const ask = this.calls('synthesis', model, budgetMs);
      const wrote = await this.unlessDropped('synthesis', model, budgetMs, () =>
        ask.askSynthesis({ reportId: this.reportId, model, members, reviewers, of: 1 }),
      );
      if (wrote) return model;
    }
    return null;
  }

  /** Pools, compares with the market, ranks the bets and stores the report. */
  async conclude(council: Omit<Council, 'reportId' | 'dropouts'>): Promise<ConcludedReport> {
    const books = this.steps({
      ...bounded(this.order.policies.bookkeeping),
      summary: 'conclude and store',
    });
    return books.concludeReport({ reportId: this.reportId, dropouts: this.dropouts, ...council });
  }

  /** Steps that are quick, and followed by another at once. */
  private steps(options: ReturnType<typeof bounded> & { readonly summary: string }): ReportActivities {
    return isLean(this.order)
      ? proxyLocalActivities<ReportActivities>(options)
      : proxyActivities<ReportActivities>(options);
  }

  private async askAll(
    stage: Stage,
    models: readonly CouncilModel[],
    call: (ask: ReportActivities, model: CouncilModel) => Promise<Answered>,
  ): Promise<CouncilModel[]> {
    const budgetMs = this.order.stageDeadlinesMs[stage];
    const answered = await Promise.all(
      models.map(model =>
        this.unlessDropped(stage, model, budgetMs, () => call(this.calls(stage, model, budgetMs), model)),
      ),
    );
    return models.filter((_, index) => answered[index]);
  }

  /** Settles every branch by itself: one failure never leaves its siblings without anybody waiting. */
  private async unlessDropped(
    stage: Stage,
    model: CouncilModel,
    budgetMs: number,
    call: () => Promise<Answered>,
  ): Promise<boolean> {
    try {
      await call();
      return true;
    } catch (error) {
      if (isCancellation(error)) throw error;
      this.dropouts.push({ model, stage, kind: kindOf(error), waitedSeconds: Math.round(budgetMs / 1_000) });
      return false;
    }
  }

  private calls(stage: Stage, model: CouncilModel, budgetMs: number): ReportActivities {
    const taskQueue = this.order.modelQueues?.[model];
    return proxyActivities<ReportActivities>({
      ...(taskQueue === undefined ? {} : { taskQueue }),
      ...modelCall(this.order.policies.model_call, budgetMs),
      summary: `${stage.replace('_', '-')} · ${model}`,
    });
  }
}

function kindOf(error: unknown): DropoutKind {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure) return 'timed_out';
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return dropoutKinds.find(kind => kind === type) ?? 'unavailable';
}
