import type { Db } from '../db/database.js';
import { openStage, type StageOfRun, type StageRow } from '../db/open-stage.js';
import { type Brief, briefOf } from './brief-of.js';

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
