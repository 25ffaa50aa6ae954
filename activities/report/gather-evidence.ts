import { dropoutReason, type FailedCall } from '../../council/deliberation/members.js';
import { assembleEvidence } from '../../council/evidence/assemble-evidence.js';
import type { CouncilModel } from '../../council/models.js';
import type { Db } from '../../db/database.js';
import { readRunAndDeliberation, storeEvidence } from '../../db/reports/run.js';
import { answersOf, briefOf } from './stage-reader.js';

/** How the searches of a run ended. */
export interface ResearchResult {
  readonly reportId: number;
  /** The members whose search counts: a later one may be stored, but is in no pack. */
  readonly searched: readonly CouncilModel[];
  readonly failed: readonly FailedCall[];
}

/** What the history shows of the evidence: no text, and no address. */
export interface GatheredEvidence {
  readonly items: number;
}

/**
 * Assembles the evidence of a run from its searches and stores it, for every later stage and the conclusion. A second
 * attempt gives the same, because the searches stay stored and the rules have a version.
 */
export async function gatherEvidence(
  db: Db,
  { reportId, searched, failed }: ResearchResult,
): Promise<GatheredEvidence> {
  const run = await readRunAndDeliberation(db, reportId);
  const { event, asOf, seed } = briefOf(run);
  const research = answersOf(run.deliberation.research, searched);
  const failures = Object.fromEntries(failed.map(call => [call.model, dropoutReason(call)]));
  const assembled = assembleEvidence({ event, asOf, seed, research, failures });
  await storeEvidence(db, reportId, assembled);
  return { items: assembled.evidence.items.length };
}
