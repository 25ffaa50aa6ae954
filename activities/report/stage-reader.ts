import { outcomeSet } from '../../council/market/outcome-set.js';
import type { CouncilModel } from '../../council/models.js';
import type { BriefInput } from '../../council/prompts/event-brief.js';
import type { Db } from '../../db/database.js';
import type { StoredAnswer } from '../../db/reports/deliberation.js';
import { openStage, type StageOfRun, type StageRow } from '../../db/reports/open-stage.js';
import type { RunRow } from '../../db/reports/run.js';

/** What each call of a stage starts from. The calls share it and must not change it. */
export interface OpenedStage {
  readonly run: StageRow;
  readonly brief: BriefInput;
}

export type StageReader = (at: StageOfRun) => Promise<OpenedStage>;

/**
 * The calls of a stage that start at the same moment share one read of their run. The read is not cached: a later call,
 * such as a second attempt, reads again and sees the answers that were stored in the meantime.
 */
export function createStageReader(db: Db): StageReader {
  const inProgress = new Map<string, Promise<OpenedStage>>();

  async function read(at: StageOfRun): Promise<OpenedStage> {
    const run = await openStage(db, at);
    return { run, brief: briefOf(run) };
  }

  return at => {
    const name = `${at.reportId} ${at.stage} ${at.of}`;
    const reading = inProgress.get(name) ?? read(at).finally(() => inProgress.delete(name));
    inProgress.set(name, reading);
    return reading;
  };
}

/** Only the answers that arrived in time: a later one may be stored, but was not part of the council. */
export function answersOf<Answer>(
  answers: readonly StoredAnswer<Answer>[],
  counted: readonly CouncilModel[],
): Partial<Record<CouncilModel, Answer>> {
  return Object.fromEntries(
    answers.filter(({ model }) => counted.includes(model)).map(({ model, answer }) => [model, answer]),
  );
}

/**
 * What the prompt of every stage contains: the event as it was frozen, and what was searched for and not found.
 * @throws Error when no market snapshot is stored
 */
export function briefOf({
  event,
  pricesAt,
  seed,
  evidence,
}: Pick<RunRow, 'event' | 'pricesAt' | 'seed' | 'evidence'>): BriefInput {
  if (event === null || pricesAt === null) throw new Error('the run has no market snapshot');
  const notFound = evidence?.evidence.not_found;
  return { event, set: outcomeSet(event), asOf: pricesAt.toISOString(), seed, notFound };
}
