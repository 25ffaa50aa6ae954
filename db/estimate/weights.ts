import { type Selectable, sql } from 'kysely';
import { shippedWeights } from '../../council/estimate/first-weights.js';
import { parseWeights } from '../../council/estimate/parse-weights.js';
import { canonicalWeights, type Weights, type WeightsInForce } from '../../council/estimate/weights.js';
import type { Db, Tx } from '../database.js';
import { weightsSha256 } from '../digests.js';
import type { Database } from '../schema/schema.js';

/**
 * The weights of the estimate. Invariants:
 * - an artefact is never changed or removed, and its hash is that of its text, so a report that names both can be
 *   computed again;
 * - the weights in force are those of the newest activation, and there always is one: the migration adds the first;
 * - the first activation stands for the weights that a release ships with, and each release takes its own. A release that
 *   is replaced, or put back, could not compute with those of another;
 * - activations come one after the other, so none overtakes the decision of another.
 */
export interface StoredWeights {
  readonly weights: Weights;
  /** Hex. */
  readonly sha256: string;
}

/** The weights in force. */
export async function readCurrentWeights(db: Db | Tx): Promise<StoredWeights> {
  const row = await db
    .selectFrom('weights_activations as activation')
    .innerJoin('estimate_weights as stored', 'stored.id', 'activation.weights_id')
    .select(['activation.cause', 'stored.body', 'stored.sha256'])
    .orderBy('activation.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return row.cause === 'first' ? withHash(shippedWeights) : storedWeights(row);
}

/** The same, as a report names them and computes with them. */
export async function readWeightsInForce(db: Db | Tx): Promise<WeightsInForce> {
  const { weights, sha256 } = await readCurrentWeights(db);
  const { id, kind, coefficients } = weights;
  return { id, sha256, coefficients, kind };
}

/** Null if there are none by this id, or they have another hash. */
export async function findWeights(db: Db | Tx, id: string, sha256?: string): Promise<StoredWeights | null> {
  const row = await db
    .selectFrom('estimate_weights')
    .select(['body', 'sha256'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || (sha256 !== undefined && row.sha256 !== sha256)) return null;
  return storedWeights(row);
}

/** Stored weights with the last time that they were put in force. */
export interface ListedWeights extends StoredWeights {
  readonly inForce: boolean;
  readonly activation: Activation | null;
}

export interface Activation {
  /** `first`: by the migration; `refit`: by the weekly refit. */
  readonly cause: ActivationCause;
  readonly reason: string;
  readonly activatedAt: Date;
}

export type ActivationCause = Selectable<Database['weights_activations']>['cause'];

/** All weights, the newest first. */
export async function listWeights(db: Db): Promise<ListedWeights[]> {
  const rows = await db
    .selectFrom('estimate_weights as stored')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('weights_activations as activation')
          .select(['activation.id', 'cause', 'reason', 'activated_at as activatedAt'])
          .whereRef('activation.weights_id', '=', 'stored.id')
          .orderBy('activation.id', 'desc')
          .limit(1)
          .as('last'),
      join => join.onTrue(),
    )
    .select(['stored.body', 'stored.sha256', 'last.cause', 'last.reason', 'last.activatedAt'])
    .orderBy('stored.stored_at', 'desc')
    .orderBy('stored.id', 'desc')
    .execute();
  const current = await readCurrentWeights(db);
  return rows.map(({ cause, reason, activatedAt, ...row }) => ({
    ...storedWeights(row),
    inForce: row.sha256 === current.sha256,
    activation:
      cause === null || reason === null || activatedAt === null ? null : { cause, reason, activatedAt },
  }));
}

/** Stores an artefact once. @returns false if there is another one by this id */
export async function storeWeights(db: Db | Tx, weights: Weights, now: Date): Promise<boolean> {
  const sha256 = weightsSha256(weights);
  await db
    .insertInto('estimate_weights')
    .values({ id: weights.id, sha256, body: canonicalWeights(weights), stored_at: now })
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute();
  return (await findWeights(db, weights.id, sha256)) !== null;
}

export interface NewActivation {
  readonly weightsId: string;
  readonly cause: ActivationCause;
  readonly reason: string;
  readonly now: Date;
}

/** @returns `already_in_force` without adding anything, `unknown` if there are no weights by this id */
export async function activateWeights(
  db: Db,
  activation: NewActivation,
): Promise<'activated' | 'already_in_force' | 'unknown'> {
  return db.transaction().execute(async tx => {
    await lockActivations(tx);
    if ((await findWeights(tx, activation.weightsId)) === null) return 'unknown';
    if ((await readCurrentWeights(tx)).weights.id === activation.weightsId) return 'already_in_force';
    await addActivation(tx, activation);
    return 'activated';
  });
}

/** Held until the transaction ends, so that what a decision has read stays true until it is stored. */
export async function lockActivations(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${activationLock})`.execute(tx);
}

/** The key of this service's advisory lock for activations. */
const activationLock = 7_107_003;

export async function addActivation(tx: Tx, { weightsId, cause, reason, now }: NewActivation): Promise<void> {
  await tx
    .insertInto('weights_activations')
    .values({ weights_id: weightsId, cause, reason, activated_at: now })
    .execute();
}

function withHash(weights: Weights): StoredWeights {
  return { weights, sha256: weightsSha256(weights) };
}

function storedWeights({ body, sha256 }: { body: string; sha256: string }): StoredWeights {
  return { weights: parseWeights(JSON.parse(body)), sha256 };
}
