import { readSettings, type Settings } from '../../config/settings.js';
import { findHolder } from '../../embedded/home-lock.js';
import type { Environment } from '../command-context.js';
import { findRunning, type RunningService } from '../launch/running-service.js';

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

/**
 * The settings, with whatever is wrong left out as if it were unset: where one is misspelt, the others are looked at all
 * the same.
 */
export function readSettingsAnyway(env: Environment): {
  settings: Settings;
  complaints: readonly string[];
} {
  const complaints = complaintsOn(env);
  if (complaints.length === 0) return { settings: readSettings(env), complaints };
  const sound = Object.fromEntries(Object.entries(env).filter(([name, value]) => holdsAlone(name, value)));
  const settings =
    complaintsOn(sound).length === 0
      ? readSettings(sound)
      : // What is left is a setting that lacks its companions.
        readSettings({ ...sound, SESSION_JWKS_URL: undefined });
  return { settings, complaints };
}

/** One sentence a setting, as `readSettings` tells them. */
function complaintsOn(env: Environment): string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    const [, ...lines] = (error instanceof Error ? error.message : String(error)).split('\n');
    return lines.map(line => line.trim());
  }
}

/** Beside the companions that some settings ask for. */
function holdsAlone(name: string, value: string | undefined): boolean {
  return complaintsOn({ SESSION_ISSUER: 'any', SESSION_AUDIENCE: 'any', [name]: value }).length === 0;
}
