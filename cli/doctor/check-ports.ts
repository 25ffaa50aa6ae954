import { createServer } from 'node:net';
import { errorCode } from '../../embedded/process/processes.js';
import { askReadiness } from './check-service.js';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem, warning } from './finding.js';

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

/** What is on a TCP port: nothing, somebody, or no right or way to listen there (the system's code). */
export type PortState = 'free' | 'taken' | { readonly code: string };

/** Listens for a moment, which is the only way to know. */
function probePort(port: number, host: string): Promise<PortState> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', error => {
      const code = errorCode(error) ?? 'unknown';
      resolve(code === 'EADDRINUSE' ? 'taken' : { code });
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}
