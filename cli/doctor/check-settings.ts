import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem } from './finding.js';

export function checkSettings({ complaints, settings }: DoctorWorld): readonly Finding[] {
  if (complaints.length === 0) {
    const { COUNCIL_PROVIDERS: models, MARKETS: markets } = settings;
    return [ok('settings', `all valid; models ${models}, markets ${markets}`)];
  }
  const next =
    'Correct or unset it: nothing starts until then. README.md, “Separate processes”, lists every setting.';
  return complaints.map(complaint => problem('settings', complaint, next));
}
