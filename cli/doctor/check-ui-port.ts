import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, warning } from './finding.js';
import { probePort } from './probe-port.js';

/** The Web UI of the embedded Temporal server; nothing where Temporal is elsewhere. */
export async function checkUiPort({ settings, env, running }: DoctorWorld): Promise<readonly Finding[]> {
  if (settings.TEMPORAL_ADDRESS !== undefined || env['TEMPORAL_PROFILE'] !== undefined) return [];
  const port = settings.TEMPORAL_UI_PORT;
  if (port === 0) return [ok('ui_port', 'any free one is taken')];
  if ((await probePort(port, '127.0.0.1')) === 'free') return [ok('ui_port', `${port} is free`)];
  if (running !== null && (await isTemporalUi(port)))
    return [ok('ui_port', `${port} is held by a Temporal Web UI`)];
  const next = 'Set TEMPORAL_UI_PORT to a free one; else `npm start` takes another port and says which.';
  return [warning('ui_port', `${port} is held by another program`, next)];
}

const answerWithinMs = 4_000;

async function isTemporalUi(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/settings`, { signal });
    return answer.ok && (await answer.text()).includes('DefaultNamespace');
  } catch {
    return false;
  }
}
