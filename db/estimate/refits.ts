import type { Weights } from '../../council/estimate/weights.js';
import type { Db, Tx } from '../database.js';
import { addActivation, lockActivations, readCurrentWeights, storeWeights } from './weights.js';

/**
 * The refits of the weights. Invariants:
 * - there is one by each id, with its result and the reason, whether it changed the weights in force or not;
 * - a refit, its weights and their activation are stored in one transaction, so a refit that is repeated finds all of
 *   it or nothing;
 * - a refit never replaces weights that it was not compared with.
 */
export interface Refit {
  readonly id: string;
  /** Nothing later was known to it. */
  readonly cutOff: Date;
  /** The weights that it was compared with. */
  readonly incumbentId: string;
  /** The weights that were fitted; null if there was too little to fit. */
  readonly weightsId: string | null;
  readonly activated: boolean;
  readonly reason: string;
}

/** Null if no refit by this id was recorded. */
export async function findRefit(db: Db | Tx, id: string): Promise<Refit | null> {
  return (await refits(db).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The newest first. */
export async function listRefits(db: Db, limit: number): Promise<Refit[]> {
  return refits(db).orderBy('recorded_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

function refits(db: Db | Tx) {
  return db
    .selectFrom('weights_refits')
    .select([
      'id',
      'cut_off as cutOff',
      'incumbent_id as incumbentId',
      'weights_id as weightsId',
      'activated',
      'reason',
    ]);
}

export interface NewRefit {
  readonly id: string;
  readonly cutOff: Date;
  readonly incumbentId: string;
  readonly weights: Weights | null;
  /** Whether the weights are to be put in force. */
  readonly activate: boolean;
  readonly reason: string;
  readonly now: Date;
}

/** @returns what is recorded by this id, which is an earlier attempt's if there was one */
export async function recordRefit(db: Db, refit: NewRefit): Promise<Refit> {
  return db.transaction().execute(async tx => {
    await lockActivations(tx);
    const earlier = await findRefit(tx, refit.id);
    if (earlier !== null) return earlier;
    const { id, cutOff, incumbentId, weights, now } = refit;
    const { activate, reason } = await stillValid(tx, refit);
    if (weights !== null && !(await storeWeights(tx, weights, now))) {
      throw new Error(`there are other weights by the id ${weights.id}`);
    }
    const weightsId = weights?.id ?? null;
    const recorded: Refit = { id, cutOff, incumbentId, weightsId, activated: activate, reason };
    await tx
      .insertInto('weights_refits')
      .values({
        id,
        cut_off: cutOff,
        incumbent_id: incumbentId,
        weights_id: weightsId,
        activated: activate,
        reason,
        recorded_at: now,
      })
      .execute();
    if (activate && weightsId !== null) await addActivation(tx, { weightsId, cause: 'refit', reason, now });
    return recorded;
  });
}

/** Not activated if an operator put other weights in force during the refit. */
async function stillValid(tx: Tx, { incumbentId, activate, reason }: NewRefit) {
  const { weights } = await readCurrentWeights(tx);
  if (!activate || weights.id === incumbentId) return { activate, reason };
  return {
    activate: false,
    reason: `${weights.id} came into force during the refit, and was not compared with it`,
  };
}
