import { findHolder } from '../../platform/embedded/home-lock.js';
import { type Environment, readSettingsTolerantly, type Settings } from '../../platform/settings/settings.js';
import { findRunning, type RunningService } from '../launch/running-service.js';

/** What the checks look at. */
export interface DoctorContext {
  readonly env: Environment;
  /** Invalid settings count as unset. */
  readonly settings: Settings;
  readonly settingProblems: readonly string[];
  /** The process that holds the lock of COUNCIL_HOME. */
  readonly holder: number | null;
  /** The service that runs on COUNCIL_HOME; null when only the record of a killed one is left. */
  readonly running: RunningService | null;
  readonly wasKilled: boolean;
  readonly databaseUrl: string | null;
  /** The clock of this machine, in epoch milliseconds. */
  readonly now: () => number;
}

export async function createDoctorContext(env: Environment, now: () => number): Promise<DoctorContext> {
  const { settings, problems } = readSettingsTolerantly(env);
  const holder = (await findHolder(settings.COUNCIL_HOME).catch(() => undefined)) ?? null;
  const recorded = findRunning(settings.COUNCIL_HOME);
  const running = holder === null ? null : recorded;
  return {
    env,
    settings,
    settingProblems: problems,
    holder,
    running,
    wasKilled: holder === null && recorded !== null,
    databaseUrl: settings.DATABASE_URL ?? running?.databaseUrl ?? null,
    now,
  };
}

/** Whether nothing is embedded, so that API and workers are started on their own. */
export function runsAlone({ settings, env }: Pick<DoctorContext, 'settings' | 'env'>): boolean {
  const hasTemporal = settings.TEMPORAL_ADDRESS !== undefined || env['TEMPORAL_PROFILE'] !== undefined;
  return settings.DATABASE_URL !== undefined && hasTemporal;
}
