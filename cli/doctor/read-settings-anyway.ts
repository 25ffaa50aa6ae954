import { readSettings, type Settings } from '../../config/settings.js';
import type { Environment } from '../here.js';

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
