import type { Logger } from 'pino';
import type { Db } from '../../db/database.js';
import { isAnythingUnsealed, sealRecord } from '../../db/track-record/seal-record.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import { repeatUntilStopped } from './repeat-until-stopped.js';

export interface SealDependencies {
  readonly db: Db;
  readonly metrics: Metrics;
  readonly log: Pick<Logger, 'error' | 'info'>;
}

/** Half of the time within which the public API promises an entry. */
const sealEveryMs = 1_000;

/**
 * Seals what is new in the record, about once a second, until it is stopped. In any number of processes: each seals what
 * the others have left.
 * @returns how to stop it; the promise settles once nothing is being sealed
 */
export function sealContinually({ db, metrics, log }: SealDependencies): () => Promise<void> {
  return repeatUntilStopped({
    everyMs: sealEveryMs,
    round: async () => {
      if (await isAnythingUnsealed(db)) await sealRecord(db);
    },
    onFailure: () => metrics.recordSealFailures.inc(),
    texts: {
      fails: 'the record could not be sealed; it is tried again every second',
      works: 'the record is sealed again',
    },
    log,
  });
}
