import type { Client } from '@temporalio/client';
import { projectFiles } from '../config/project-files.js';
import { readSettings, type Settings } from '../config/settings.js';
import type { TemporalManifest } from '../config/temporal/manifest.js';
import type { Db } from '../db/database.js';
import { CouncilApi } from './connections/council-api.js';
import { findRunning } from './launch/running-service.js';
import { howToGetKey } from './terminal/explain-failure.js';
import { Failure } from './terminal/failure.js';
import type { Output } from './terminal/output.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface TemporalAccess {
  readonly client: Client;
  readonly manifest: TemporalManifest;
  readonly namespace: string;
  /** How the server is called in what is told. */
  readonly address: string;
}

/** What a command finds around it. Nothing is read, opened or loaded before it is asked for. */
export interface CommandContext {
  readonly env: Environment;
  readonly output: Output;
  settings(): Settings;
  /** The public API, as the account whose key is set. */
  customer(): CouncilApi;
  /** What was returned becomes the end of the command: false means that something was found wrong. */
  database(use: (db: Db) => Promise<boolean | void>): Promise<void>;
  temporal(use: (temporal: TemporalAccess) => Promise<boolean | void>): Promise<void>;
  /** Called with false where a command did its work and found something wrong. */
  foundWrong(): void;
}

/** @param foundWrong is told, once or more, that the command is to end with 1 */
export function createCommandContext(
  env: Environment,
  output: Output,
  foundWrong: () => void,
): CommandContext {
  const settings = () => settingsOf(env);
  const note = (good: boolean | void) => {
    if (good === false) foundWrong();
  };
  return {
    env,
    output,
    settings,
    foundWrong,
    customer: () => customerOf(env, settings()),
    database: async use => {
      const { withDatabase } = await import('./connections/with-database.js');
      note(await withDatabase(databaseUrl(settings()), use));
    },
    temporal: async use => {
      const { readTemporalManifest } = await import('../config/temporal/manifest.js');
      const { temporalHere } = await import('./connections/temporal-here.js');
      const { addressOf, withTemporal } = await import('./connections/with-temporal.js');
      const manifest = readTemporalManifest(projectFiles.temporalManifest);
      const place = temporalHere(manifest, settings(), env['TEMPORAL_PROFILE']);
      const { namespace } = place;
      note(
        await withTemporal(place, client => use({ client, manifest, namespace, address: addressOf(place) })),
      );
    },
  };
}

function settingsOf(env: Environment): Settings {
  try {
    return readSettings(env);
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error), {
      next: 'Correct or unset what is named; README.md, “Separate processes”, lists every setting.',
      cause: error,
    });
  }
}

function customerOf(env: Environment, { COUNCIL_HOME }: Settings): CouncilApi {
  const url = env['COUNCIL_BASE_URL'] ?? findRunning(COUNCIL_HOME)?.url ?? 'http://127.0.0.1:3000';
  const key = env['COUNCIL_API_KEY'];
  if (key !== undefined && key !== '') return new CouncilApi(url, key);
  throw new Failure('Set COUNCIL_API_KEY to your API key first.', { next: howToGetKey(url) });
}

function databaseUrl({ DATABASE_URL, COUNCIL_HOME }: Settings): string {
  const url = DATABASE_URL ?? findRunning(COUNCIL_HOME)?.databaseUrl;
  if (url !== undefined) return url;
  throw new Failure('There is no database to work with.', {
    next: 'Set DATABASE_URL, or start the service here (`npm start`): it brings its own database.',
  });
}
