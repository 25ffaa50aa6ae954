import { askReadiness } from './ask-readiness.js';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem, warning } from './finding.js';
import { type PortState, probePort } from './probe-port.js';

/** Whether the API can listen where it is told to. */
export async function checkPort({ settings, running }: DoctorWorld): Promise<readonly Finding[]> {
  const { PORT: port, HOST: host } = settings;
  if (port === 0) return [ok('port', 'any free one is taken')];
  const state = await probePort(port, host);
  if (state === 'free') return [ok('port', `${port} on ${host} is free`)];
  if (state !== 'taken') return [unusable(port, host, state)];
  const url = `http://${dialled(host)}:${port}`;
  if (running !== null && new URL(running.url).port === String(port)) {
    return [ok('port', `${port} is held by the service of this COUNCIL_HOME`)];
  }
  const found = await askReadiness(url);
  if (typeof found === 'object') {
    const next = 'Where that is another one, set PORT to a port of its own.';
    return [warning('port', `${port} is held by a council report service, not of this COUNCIL_HOME`, next)];
  }
  return [taken(port, settings)];
}

/** `npm start` finds another by itself; an API that is started alone does not. */
function taken(port: number, settings: DoctorWorld['settings']): Finding {
  const alone = settings.DATABASE_URL !== undefined && settings.TEMPORAL_ADDRESS !== undefined;
  const detail = `${port} is held by another program`;
  const find = `\`lsof -i :${port}\` names it. Set PORT to a free one, or end it`;
  return alone
    ? problem('port', detail, `${find}: \`npm run api\` cannot start.`)
    : warning('port', detail, `${find}; else \`npm start\` takes another port and says which.`);
}

function unusable(port: number, host: string, { code }: Exclude<PortState, string>): Finding {
  const next =
    code === 'EACCES'
      ? 'Ports below 1024 are the system’s: set PORT to a higher one.'
      : 'Set HOST to an address of this machine: 127.0.0.1, or 0.0.0.0 for all.';
  return problem('port', `${host}:${port} cannot be listened on (${code})`, next);
}

/** Whoever listens everywhere is asked here. */
function dialled(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host.includes(':') ? `[${host === '::' ? '::1' : host}]` : host;
}
