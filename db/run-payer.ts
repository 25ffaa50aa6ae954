import type { Lane } from '../council/purchase.js';
import type { Db } from './database.js';

/** Who has a report made, and how it is paid for. Invariant: frozen with the report's row. */
export interface RunPayer {
  readonly accountId: string;
  readonly lane: Lane;
}

export async function readRunPayer(db: Db, reportId: number): Promise<RunPayer> {
  return db
    .selectFrom('reports')
    .select(['account_id as accountId', 'lane'])
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
}
