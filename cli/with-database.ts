import { connect, type Db } from '../db/database.js';

/** Does something with the database of the service, and leaves no connection open. */
export async function withDatabase<Result>(url: string, use: (db: Db) => Promise<Result>): Promise<Result> {
  const { db, close } = connect(url, () => undefined);
  try {
    return await use(db);
  } finally {
    await close();
  }
}
