import { type Logger, pino } from 'pino';

/** Structured logs on standard error, one JSON object a line; whatever may hold a secret is left out. */
export function createLogger(process: 'api' | 'worker' | 'start' | 'migrate'): Logger {
  return pino(
    {
      base: { process },
      level: 'info',
      redact: ['*.authorization', '*.cookie', '*.key', '*.apiKey', '*["x-api-key"]', '*.password'],
    },
    pino.destination(2),
  );
}
