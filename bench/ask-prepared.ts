import type pg from 'pg';
import { statementName } from '../db/prepared-statements.js';

/** As the service asks the database that `npm start` brings: by the name of the statement. */
export async function askPrepared(
  connection: pg.Pool | pg.PoolClient,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  return connection.query({ name: statementName(text), text, values });
}
