import { type DestinationStream, type Level, type Logger, pino } from 'pino';
import { withoutSecrets } from './without-secrets.js';

export interface LoggerOptions {
  readonly level?: Level;
  /** Standard error, unless told. */
  readonly to?: DestinationStream;
}

/**
 * Structured logs on standard error, one JSON object a line. Secrets are taken out of the finished line, and not of single
 * fields before: an error of a library may carry the headers of a request anywhere within it.
 */
export function createLogger(
  process: 'api' | 'worker' | 'start' | 'migrate',
  { level = 'info', to = pino.destination(2) }: LoggerOptions = {},
): Logger {
  const { err } = pino.stdSerializers;
  return pino(
    // The Temporal SDK names its errors `error`; unserialised, an error is `{}`.
    { base: { process }, level, serializers: { err, error: err }, hooks: { streamWrite: withoutSecrets } },
    to,
  );
}
