import { types } from 'node:util';
import pg from 'pg';

/** SQLSTATE classes and codes that speak of the server or the connection, not of the statement; 57014 ends one that took too long. */
const awayCode = /^(08|57P|57014|53)|^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST)/;

/** True when the database could not be reached or gave up, so that the same request may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  // Not `instanceof Error`: errors of Node's own sockets come from another realm where code runs in a `vm` context.
  if (!types.isNativeError(error)) return false;
  if ('errors' in error && Array.isArray(error.errors)) return error.errors.some(isDatabaseAway);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (awayCode.test(code)) return true;
  return (
    !(error instanceof pg.DatabaseError) &&
    /connection (terminated|timeout)|timeout exceeded|not queryable/i.test(error.message)
  );
}
