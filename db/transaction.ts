import { type Db, isDatabaseUnavailable, type Tx } from './database.js';

/**
 * The response to a COMMIT was lost, so the transaction may or may not have been committed. Any other error of a
 * transaction means that it was rolled back.
 */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The response to a COMMIT was lost.', { cause });
    this.name = 'CommitUnknown';
  }
}

/** Runs a transaction. @throws CommitUnknown when the response to its COMMIT was lost */
export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  let isCommitting = false;
  try {
    return await db.transaction().execute(async tx => {
      const result = await work(tx);
      isCommitting = true;
      return result;
    });
  } catch (error) {
    throw isCommitting && isDatabaseUnavailable(error) ? new CommitUnknown(error) : error;
  }
}
