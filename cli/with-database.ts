import { connect, type Db } from '../db/database.js';
import { explainDatabaseError } from './explain-database-error.js';
import { Failure } from './failure.js';

/**
 * Does something with the database of the service, and leaves no connection open.
 * @throws Failure that names the database, where it is the database that is away, refuses or is not migrated
 */
export async function withDatabase<Result>(url: string, use: (db: Db) => Promise<Result>): Promise<Result> {
  const { db, close } = connect(url, () => undefined);
  try {
    return await use(db);
  } catch (error) {
    const explained = explainDatabaseError(error, url);
    if (explained === null) throw error;
    throw new Failure(explained.detail, { next: explained.next, cause: error });
  } finally {
    await close();
  }
}
