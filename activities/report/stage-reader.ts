import { type DistributionRule, distributionRule } from '../../council/answers/distribution.js';
import { outcomeSet } from '../../council/market/outcome-set.js';
import { currentMethod } from '../../council/method.js';
import type { BriefInput } from '../../council/prompts/event-brief.js';
import type { Db } from '../../db/database.js';
import { openStage, type StageOfRun, type StageRow } from '../../db/reports/open-stage.js';
import type { RunRow } from '../../db/reports/run.js';

/** What each call of a stage starts from. The calls share it and must not change it. */
export interface OpenedStage {
  readonly run: StageRow;
  readonly brief: Brief;
}

export type StageReader = (at: StageOfRun) => Promise<OpenedStage>;

/**
 * The calls of a stage that start at the same moment share one read of their run. Nothing is cached: a later call,
 * such as a second attempt, reads again and sees the answers that were stored in the meantime.
 */
export function createStageReader(db: Db): StageReader {
  const inProgress = new Map<string, Promise<OpenedStage>>();
  return at => {
    const name = `${at.reportId} ${at.stage} ${at.of}`;
    const reading = inProgress.get(name) ?? read(db, at).finally(() => inProgress.delete(name));
    inProgress.set(name, reading);
    return reading;
  };
}

async function read(db: Db, at: StageOfRun): Promise<OpenedStage> {
  const run = await openStage(db, at);
  return { run, brief: briefOf(run) };
}

export interface Brief extends BriefInput {
  readonly seed: string;
  /** A member's distribution must cover exactly these outcomes. */
  readonly rule: DistributionRule;
}

/**
 * What the prompt of every stage contains: the event as it was frozen.
 * @throws Error when no market snapshot is stored
 */
export function briefOf({ event, pricesAt, seed }: Pick<RunRow, 'event' | 'pricesAt' | 'seed'>): Brief {
  if (event === null || pricesAt === null) throw new Error('the run has no market snapshot');
  const set = outcomeSet(event, currentMethod);
  return { event, set, asOf: pricesAt.toISOString(), seed, rule: distributionRule(set) };
}
