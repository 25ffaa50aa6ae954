import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.js';
import { isAnythingUnsealed, sealRecord } from '../../db/track-record/seal-record.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';

export interface SealDependencies {
  readonly db: Db;
  readonly metrics: Metrics;
  readonly log: Pick<Logger, 'error' | 'info'>;
}

/** Half of the time within which the public API promises an entry. */
const sealEveryMs = 1_000;

/**
 * Seals what is new in the record, about once a second, until it is stopped. In any number of processes: each seals what
 * the others have left. A failure is counted, and logged when it begins and ends; the next round tries again.
 * @returns how to stop it; the promise settles once nothing is being sealed
 */
export function sealContinually({ db, metrics, log }: SealDependencies): () => Promise<void> {
  const stopping = new AbortController();
  let failing = false;
  const round = async () => {
    try {
      if (await isAnythingUnsealed(db)) await sealRecord(db);
      if (failing) log.info('the record is sealed again');
      failing = false;
    } catch (err) {
      metrics.recordSealFailures.inc();
      if (!failing) log.error({ err }, 'the record could not be sealed; it is tried again every second');
      failing = true;
    }
  };
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      await round();
      await pause(sealEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await ended;
  };
}
