import { sql } from 'kysely';
import { parseWeights } from '../../council/estimate/parse-weights.js';
import type { Weights } from '../../council/estimate/weights.js';
import type { Challenger, RefitEvidence } from '../../record/learning/challengers.js';
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
  /** The challenger that was frozen or put in force; null if there was too little to fit. */
  readonly weightsId: string | null;
  readonly activated: boolean;
  /** What the predictions of the challengers showed. Null if a worker of 1.0.0 compared otherwise. */
  readonly evidence: RefitEvidence | null;
  readonly reason: string;
}

/** Null if no refit by this id was recorded. */
export async function findRefit(db: Db | Tx, id: string): Promise<Refit | null> {
  const row = await refits(db).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : refitOf(row);
}

/** The refit that put these weights in force, the last one if there were several. Null if an operator did. */
export async function findActivatingRefit(db: Db, weightsId: string): Promise<Refit | null> {
  const row = await newestFirst(db)
    .where('weights_id', '=', weightsId)
    .where('activated', '=', true)
    .executeTakeFirst();
  return row === undefined ? null : refitOf(row);
}

/** The newest first. */
export async function listRefits(db: Db, limit: number): Promise<Refit[]> {
  return (await newestFirst(db).limit(limit).execute()).map(refitOf);
}

/**
 * The challengers that were frozen against the weights in force since they came into force, the oldest first. A
 * challenger counts as frozen when it was stored, and not before the end of what was known to it.
 */
export async function readChallengers(db: Db, incumbentId: string): Promise<Challenger[]> {
  const rows = await db
    .selectFrom('weights_refits as refit')
    .innerJoin('estimate_weights as stored', 'stored.id', 'refit.weights_id')
    .select(['stored.body', sql<Date>`greatest(refit.cut_off, refit.recorded_at)`.as('frozenAt')])
    .where('refit.incumbent_id', '=', incumbentId)
    .where('refit.activated', '=', false)
    .where('refit.e_value', 'is not', null)
    .where('refit.recorded_at', '>=', eb =>
      eb
        .selectFrom('weights_activations')
        .select('activated_at')
        .orderBy('weights_activations.id', 'desc')
        .limit(1),
    )
    .orderBy('frozenAt')
    .orderBy('refit.id')
    .execute();
  return rows.map(({ body, frozenAt }) => ({
    weights: parseWeights(JSON.parse(body)),
    frozenAt: frozenAt.toISOString(),
  }));
}

function newestFirst(db: Db) {
  return refits(db).orderBy('recorded_at', 'desc').orderBy('id', 'desc');
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
      'e_value as eValue',
      'events_counted as events',
      'reason',
    ]);
}

type RefitRow = Omit<Refit, 'evidence'> & { readonly eValue: number | null; readonly events: number | null };

function refitOf({ eValue, events, ...refit }: RefitRow): Refit {
  return { ...refit, evidence: eValue === null || events === null ? null : { eValue, events } };
}

export interface NewRefit {
  readonly id: string;
  readonly cutOff: Date;
  readonly incumbentId: string;
  readonly weights: Weights | null;
  /** Whether the weights are to be put in force. */
  readonly activate: boolean;
  readonly evidence: RefitEvidence | null;
  readonly reason: string;
  readonly now: Date;
}

/** @returns what is recorded by this id, which is an earlier attempt's if there was one */
export async function recordRefit(db: Db, refit: NewRefit): Promise<Refit> {
  return db.transaction().execute(async tx => {
    await lockActivations(tx);
    const earlier = await findRefit(tx, refit.id);
    if (earlier !== null) return earlier;
    const { id, cutOff, incumbentId, weights, evidence, now } = refit;
    const { activate, reason } = await stillValid(tx, refit);
    if (weights !== null && !(await storeWeights(tx, weights, now))) {
      throw new Error(`there are other weights by the id ${weights.id}`);
    }
    const weightsId = weights?.id ?? null;
    const recorded: Refit = { id, cutOff, incumbentId, weightsId, activated: activate, evidence, reason };
    await tx
      .insertInto('weights_refits')
      .values({
        id,
        cut_off: cutOff,
        incumbent_id: incumbentId,
        weights_id: weightsId,
        activated: activate,
        e_value: evidence?.eValue ?? null,
        events_counted: evidence?.events ?? null,
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
