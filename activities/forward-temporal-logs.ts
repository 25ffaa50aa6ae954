import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

/**
 * Sends what the Temporal SDK logs, workflows and activities included, into the service's own log, and leaves
 * the signals to the service: it alone knows in which order things must end.
 */
export function forwardTemporalLogs(log: Logger): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      const fields = { ...meta, temporal: true };
      if (level === 'ERROR') log.error(fields, message);
      else log.warn(fields, message);
    }),
  });
}
