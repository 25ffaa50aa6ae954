import { outcomeSet } from '../../council/market/outcome-set.js';
import type { BriefInput } from '../../council/prompts/event-brief.js';
import type { Db } from '../../db/database.js';
import { openStage, type StageOfRun, type StageRow } from '../../db/reports/open-stage.js';
import type { RunRow } from '../../db/reports/run.js';

/** What the calls of a stage begin with. It is shared between them, and read only. */
export interface OpenedStage {
  readonly run: StageRow;
  readonly brief: Brief;
}

export type StageReader = (at: StageOfRun) => Promise<OpenedStage>;

/**
 * Members of one stage who are asked at the same moment share one read of their run. Nothing is kept: whoever comes when the
 * read is over, as a second attempt does, reads anew, so that an answer that has been stored meanwhile is seen.
 */
export function createStageReader(db: Db): StageReader {
  const underWay = new Map<string, Promise<OpenedStage>>();
  return at => {
    const name = `${at.reportId} ${at.stage} ${at.of}`;
    const reading = underWay.get(name) ?? read(db, at).finally(() => underWay.delete(name));
    underWay.set(name, reading);
    return reading;
  };
}

async function read(db: Db, at: StageOfRun): Promise<OpenedStage> {
  const run = await openStage(db, at);
  return { run, brief: briefOf(run) };
}

export interface Brief extends BriefInput {
  readonly seed: string;
  /** How a member's distribution is judged: over exactly these names. */
  readonly rule: { readonly outcomes: readonly string[]; readonly exclusive: boolean };
}

/**
 * What every stage tells the models: the event as it was frozen, and nothing read since.
 * @throws Error when nothing has been frozen yet
 */
export function briefOf({ event, pricesAt, seed }: Pick<RunRow, 'event' | 'pricesAt' | 'seed'>): Brief {
  if (event === null || pricesAt === null) throw new Error('the run has no market snapshot');
  const set = outcomeSet(event);
  const rule = { outcomes: set.outcomes.map(({ name }) => name), exclusive: set.exclusive };
  return { event, set, asOf: pricesAt.toISOString(), seed, rule };
}
