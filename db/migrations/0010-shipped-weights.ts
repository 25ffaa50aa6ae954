import { type Kysely, sql } from 'kysely';
import { shippedWeights } from '../../council/estimate/first-weights.js';
import { canonicalWeights } from '../../council/estimate/weights.js';
import { weightsSha256 } from '../digests.js';

/**
 * Stores the weights for `estimate/2`, whose prices count down to 0.1 %. They are in force wherever the weights are still
 * those that a release ships with (`estimate/weights.ts`). Without an activation of their own: the version that is still
 * running could not compute with them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into estimate_weights (id, sha256, body, stored_at)
    values (${shippedWeights.id}, ${weightsSha256(shippedWeights)}, ${canonicalWeights(shippedWeights)}, now())`.execute(
    db,
  );
}
