import { LRUCache } from 'lru-cache';
import { type AssembledEvidence, assembleEvidence } from '../../council/evidence/assemble-evidence.js';
import type { Evidence } from '../../council/evidence.js';
import { outcomeSet } from '../../council/market/outcome-set.js';
import type { CouncilModel } from '../../council/models.js';
import type { BriefInput } from '../../council/prompts/event-brief.js';
import type { Db } from '../../db/database.js';
import type { StoredAnswer } from '../../db/reports/deliberation.js';
import { openStage, type StageOfRun, type StageRow } from '../../db/reports/open-stage.js';
import type { RunRow } from '../../db/reports/run.js';

/** A stage, and whose search its prompts show: null if nobody searched. */
export interface StageToRead extends StageOfRun {
  readonly researchers: readonly CouncilModel[] | null;
}

/** What each call of a stage starts from. The calls share it and must not change it. */
export interface OpenedStage {
  readonly run: StageRow;
  readonly brief: BriefInput;
  /** Null if nobody searched. */
  readonly found: AssembledEvidence | null;
}

export type StageReader = (at: StageToRead) => Promise<OpenedStage>;

/** Some 20 MB: the evidence of a run takes at most 100 kB. */
const runsCachedMax = 200;

/**
 * The calls of a stage that start at the same moment share one read of their run. The read is not cached: a later call,
 * such as a second attempt, reads again and sees the answers that were stored in the meantime. What the members found is
 * cached, because it never changes after the search, and assembling it would delay each stage by milliseconds.
 */
export function createStageReader(db: Db): StageReader {
  const inProgress = new Map<string, Promise<OpenedStage>>();
  const assembled = new LRUCache<string, AssembledEvidence>({ max: runsCachedMax });

  async function read({ researchers, ...at }: StageToRead): Promise<OpenedStage> {
    const run = await openStage(db, at);
    const brief = briefOf(run);
    const name = `${at.reportId} ${researchers?.join()}`;
    const found = assembled.get(name) ?? foundBy(researchers, run, brief);
    if (found !== null) assembled.set(name, found);
    return { run, brief, found };
  }

  return at => {
    const name = `${at.reportId} ${at.stage} ${at.of} ${at.researchers?.join() ?? 'none'}`;
    const reading = inProgress.get(name) ?? read(at).finally(() => inProgress.delete(name));
    inProgress.set(name, reading);
    return reading;
  };
}

/**
 * What the members found, assembled again from what their searches returned: always the same for a run.
 * @param researchers whose search counts; null if nobody searched
 * @param failures only stated in the evidence; they change no pack
 */
export function foundBy(
  researchers: readonly CouncilModel[] | null,
  { deliberation }: Pick<StageRow, 'deliberation'>,
  { event, asOf, seed }: BriefInput,
  failures: Evidence['failures'] = {},
): AssembledEvidence | null {
  if (researchers === null) return null;
  const research = answersOf(deliberation.research, researchers);
  return assembleEvidence({ event, asOf, seed, research, failures });
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
 * What the prompt of every stage contains: the event as it was frozen.
 * @throws Error when no market snapshot is stored
 */
export function briefOf({ event, pricesAt, seed }: Pick<RunRow, 'event' | 'pricesAt' | 'seed'>): BriefInput {
  if (event === null || pricesAt === null) throw new Error('the run has no market snapshot');
  return { event, set: outcomeSet(event), asOf: pricesAt.toISOString(), seed };
}
