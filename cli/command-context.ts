import { text } from 'node:stream/consumers';
import type { Client } from '@temporalio/client';
import type { Db } from '../db/database.js';
import { projectFiles } from '../platform/settings/project-files.js';
import { type Environment, readSettings, type Settings } from '../platform/settings/settings.js';
import type { TemporalManifest } from '../platform/temporal/manifest.js';
import { CouncilApi } from './connections/council-api.js';
import { findRunning } from './launch/running-service.js';
import { howToGetKey } from './terminal/explain-failure.js';
import { type ExitCode, exitCodes, Failure } from './terminal/failure.js';
import type { Output } from './terminal/output.js';

export interface TemporalAccess {
  readonly client: Client;
  readonly manifest: TemporalManifest;
  readonly namespace: string;
  /** As messages show it. */
  readonly address: string;
}

/** What a command reads of its process. */
export interface CommandInput {
  /** Default: empty. */
  readonly stdin?: NodeJS.ReadableStream;
  /** Calls the listener at the next Ctrl-C, in place of ending the process. Default: there is none. */
  once?(signal: 'SIGINT', listener: () => void): unknown;
}

/** What commands work with. Nothing is read, opened or loaded before it is used. */
export interface CommandContext {
  readonly env: Environment;
  readonly output: Output;
  settings(): Settings;
  /** The public API, with the API key of COUNCIL_API_KEY. */
  customer(): CouncilApi;
  /** When `use` returns false, the command exits with 1. */
  database(use: (db: Db) => Promise<boolean | void>): Promise<void>;
  temporal(use: (temporal: TemporalAccess) => Promise<boolean | void>): Promise<void>;
  /** All of standard input. */
  input(): Promise<string>;
  /** Aborted at the next Ctrl-C, which then does not end the process. */
  interruption(): AbortSignal;
  /** Makes a command that found something wrong exit with 1, or with the given code. */
  markFailed(code?: ExitCode): void;
}

export function createCommandContext(
  env: Environment,
  output: Output,
  process: CommandInput,
  endWith: (code: ExitCode) => void,
): CommandContext {
  const settings = () => settingsOf(env);
  const markFailed = (code: ExitCode = exitCodes.failed) => endWith(code);
  const note = (succeeded: boolean | void) => {
    if (succeeded === false) markFailed();
  };
  return {
    env,
    output,
    settings,
    markFailed,
    input: async () => (process.stdin === undefined ? '' : text(process.stdin)),
    interruption: () => {
      const interrupt = new AbortController();
      process.once?.('SIGINT', () => interrupt.abort());
      return interrupt.signal;
    },
    customer: () => customerOf(env, settings()),
    database: async use => {
      const { withDatabase } = await import('./connections/with-database.js');
      note(await withDatabase(databaseUrl(settings()), use));
    },
    temporal: async use => {
      const { manifestFor, readTemporalManifest } = await import('../platform/temporal/manifest.js');
      const { serverAddress, temporalPlace, withTemporal } = await import('./connections/with-temporal.js');
      const manifest = manifestFor(settings().MARKETS, readTemporalManifest(projectFiles.temporalManifest));
      const place = temporalPlace(manifest, settings(), env);
      const { namespace } = place;
      note(
        await withTemporal(place, client =>
          use({ client, manifest, namespace, address: serverAddress(place) }),
        ),
      );
    },
  };
}

function settingsOf(env: Environment): Settings {
  try {
    return readSettings(env);
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error), {
      next: 'Correct or unset these settings; docs/configuration.md lists all of them.',
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
  throw new Failure('There is no database to connect to.', {
    next: 'Set DATABASE_URL, or start the service here (`npm start`): it starts its own database.',
  });
}
