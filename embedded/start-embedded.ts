import { startPostgres } from './postgres/start-postgres.js';
import { findTemporal, type TemporalSearch } from './temporal/find-temporal.js';
import { type EmbeddedTemporal, startTemporal, type TemporalOptions } from './temporal/start-temporal.js';

/** How the Temporal server is found and run. */
type TemporalSetup = Pick<TemporalOptions, 'namespace' | 'port' | 'uiPort' | 'flags'> &
  Pick<TemporalSearch, 'env' | 'cacheDir' | 'terminal'>;

/** What {@link startEmbedded} needs. The caller holds the lock of the home for as long as the services run. */
export interface EmbeddedOptions {
  readonly home: string;
  readonly wantPostgres: boolean;
  readonly wantTemporal: boolean;
  /** Preferred port of the database; another is taken when it is not free. */
  readonly postgresPort?: number;
  /** As {@link startPostgres} has it. */
  readonly durable?: boolean;
  readonly temporal: TemporalSetup;
  readonly log: (line: string) => void;
  /** Where the database goes when root's database user cannot reach the home. */
  readonly elsewhere?: string;
  /** Aborting gives up the start, after stopping whatever runs already. */
  readonly signal?: AbortSignal | undefined;
}

/** The services that run; what was not wanted is undefined. */
export interface EmbeddedServices {
  readonly databaseUrl: string | undefined;
  readonly temporalAddress: string | undefined;
  readonly uiUrl: string | undefined;
  /** Resolves, never rejects, with a sentence when one of the services ends, asked or not. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Starts the wanted services at the same time; if one fails, the other is stopped and the failure thrown. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServices> {
  const failed = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  // Waiting for a build of minutes makes no sense once the other service cannot run anyway.
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
