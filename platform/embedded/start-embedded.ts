import { startPostgres } from './postgres/start-postgres.js';
import { findTemporal, type TemporalSearch } from './temporal/find-temporal.js';
import { type EmbeddedTemporal, startTemporal, type TemporalOptions } from './temporal/start-temporal.js';

type TemporalSetup = Pick<TemporalOptions, 'namespace' | 'port' | 'uiPort' | 'flags'> &
  Pick<TemporalSearch, 'env' | 'cacheDir' | 'terminal'>;

/** The caller holds the lock of the home while the services run. */
export interface EmbeddedOptions {
  readonly home: string;
  readonly wantPostgres: boolean;
  readonly wantTemporal: boolean;
  /** The preferred port of the database; another one is used if it is taken. */
  readonly postgresPort?: number;
  /** The option of {@link startPostgres}. */
  readonly durable?: boolean;
  readonly temporal: TemporalSetup;
  readonly log: (line: string) => void;
  /** The parent folder for the database if the database user of root cannot access the home. */
  readonly elsewhere?: string;
  /** Aborts the start, and stops what runs already. */
  readonly signal?: AbortSignal | undefined;
}

/** The running services; undefined for those that were not requested. */
export interface EmbeddedServices {
  /** The address with the role of API and workers, which can do nothing before the owner has migrated. */
  readonly databaseUrl: string | undefined;
  /** The address with the owner of the database, who migrates. */
  readonly ownerDatabaseUrl: string | undefined;
  readonly temporalAddress: string | undefined;
  readonly uiUrl: string | undefined;
  /** Resolves with a sentence when one of the services has ended, whether stopped or not. Never rejects. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts the requested services at the same time. If one fails, the other is stopped. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServices> {
  const failed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  // If one service fails, do not wait minutes for a build of the other.
  const giveUp = (error: unknown): never => {
    failed.abort(error);
    throw error;
  };
  const { postgresPort } = options;
  const nothing = Promise.resolve(undefined);
  const starts = [
    options.wantPostgres
      ? startPostgres({
          ...options,
          ...(postgresPort === undefined ? {} : { port: postgresPort }),
          signal,
        }).catch(giveUp)
      : nothing,
    options.wantTemporal ? startFoundTemporal({ ...options, signal }).catch(giveUp) : nothing,
  ] as const;
  const [postgres, temporal] = await Promise.all(starts).catch(async (error: unknown) => {
    for (const result of await Promise.allSettled(starts)) {
      if (result.status === 'fulfilled') await result.value?.stop();
    }
    throw error;
  });
  const running = [postgres, temporal].filter(service => service !== undefined);
  return {
    databaseUrl: postgres?.url,
    ownerDatabaseUrl: postgres?.ownerUrl,
    temporalAddress: temporal?.address,
    uiUrl: temporal?.uiUrl,
    ended: Promise.race(running.map(service => service.exited)),
    stop: async () => {
      await Promise.all(running.map(service => service.stop()));
    },
  };
}

async function startFoundTemporal({
  temporal,
  home,
  log,
  signal,
}: EmbeddedOptions): Promise<EmbeddedTemporal> {
  const binary = await findTemporal({ ...temporal, log, signal });
  return startTemporal({ ...temporal, binary, home, log, signal });
}
