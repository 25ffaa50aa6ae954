import type { Settings } from '../../config/settings.js';
import { findHolder } from '../embedded/home-lock.js';
import type { Environment } from '../here.js';
import { findRunning, type RunningService } from '../running-service.js';
import { readSettingsAnyway } from './read-settings-anyway.js';

/** What the checks look at. */
export interface DoctorWorld {
  readonly env: Environment;
  /** Those that hold; what is wrong is as if it were unset. */
  readonly settings: Settings;
  /** What is wrong with the settings, a sentence each. */
  readonly complaints: readonly string[];
  /** The process that holds COUNCIL_HOME. */
  readonly holder: number | null;
  /** The service that runs on COUNCIL_HOME; a note that a killed one left behind is none. */
  readonly running: RunningService | null;
  readonly wasKilled: boolean;
  readonly databaseUrl: string | null;
  /** Milliseconds since 1970, as this machine has it. */
  readonly now: () => number;
}

export async function createDoctorWorld(env: Environment, now: () => number): Promise<DoctorWorld> {
  const { settings, complaints } = readSettingsAnyway(env);
  const holder = (await findHolder(settings.COUNCIL_HOME).catch(() => undefined)) ?? null;
  const note = findRunning(settings.COUNCIL_HOME);
  const running = holder === null ? null : note;
  return {
    env,
    settings,
    complaints,
    holder,
    running,
    wasKilled: holder === null && note !== null,
    databaseUrl: settings.DATABASE_URL ?? running?.databaseUrl ?? null,
    now,
  };
}
