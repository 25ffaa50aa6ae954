import { types } from 'node:util';
import type { Logger } from 'pino';

type LibraryLevel = 'debug' | 'info' | 'success' | 'warn' | 'error';

/** Longer messages quote what a caller has sent. */
const messageCharsMax = 200;

/**
 * What the account library logs. It calls a caller's mistakes errors too, such as an unknown origin, so its level counts
 * only with a failure of our own beside it: nobody outside may raise the level of a line. Other failures it throws, and
 * they are logged with their request.
 */
export function accountsLog(log: Logger) {
  return (level: LibraryLevel, message: string, ...details: unknown[]): void => {
    const err = details.find(isOwnFailure);
    const text = message.slice(0, messageCharsMax);
    if (err !== undefined) log.error({ accounts: level, err }, text);
    else log[level === 'error' || level === 'warn' ? 'info' : 'debug']({ accounts: level }, text);
  };
}

/** A failed query, unless for a value that the caller sent (class 22 and 23), or a lost connection. */
function isOwnFailure(detail: unknown): boolean {
  if (!types.isNativeError(detail) || !('code' in detail) || typeof detail.code !== 'string') return false;
  return /^([0-9A-Z]{5}|E[A-Z_]+)$/.test(detail.code) && !/^2[23]/.test(detail.code);
}
