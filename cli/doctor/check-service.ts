import { createServer } from 'node:net';
import { z } from 'zod';
import { parseUrl } from '../../council/parse-url.js';
import { errorCode } from '../../platform/embedded/process/processes.js';
import { howToGetKey } from '../terminal/explain-failure.js';
import { type DoctorContext, runsAlone } from './doctor-context.js';
import { firstOf, ok, problem, type Result, sayings, warning } from './finding.js';

/** Long enough for a service on a busy machine. */
const answerTimeoutMs = 15_000;

/** Whether the API answers, and whether it is ready. */
export async function checkService(context: DoctorContext): Promise<Result> {
  const { env, holder, settings } = context;
  const configured = env['COUNCIL_BASE_URL'];
  const url = await serviceUrl(context);
  if (url === null) {
    const where = runsAlone(context) ? `at ${settings.HOST}:${settings.PORT}` : 'on this COUNCIL_HOME';
    return ok(`none found ${where}; to check one at another address, set COUNCIL_BASE_URL`);
  }
  if (parseUrl(url) === null) {
    return problem('COUNCIL_BASE_URL is not a URL', 'Set it to one such as http://127.0.0.1:3000.');
  }
  const readiness = await readReadiness(url);
  const start =
    configured === undefined
      ? `End process ${holder} and start again (\`npm start\`); its output says more.`
      : 'Start the service there, or correct COUNCIL_BASE_URL. Without it, the service on this machine is used.';
  const down = Object.entries(typeof readiness === 'object' ? readiness : {})
    .filter(([, complaint]) => complaint !== null)
    .map(([part, complaint]) => `${part} ${complaint}`);
  const unready = `${url} runs but is not ready: ${down.join(', ')}`;
  return firstOf(
    [
      [readiness === 'unreachable', problem(`no answer at ${url}`, start)],
      [readiness === 'other', problem(`${url} is not this service`, 'Correct COUNCIL_BASE_URL.')],
      [down.length > 0, problem(unready, 'See the findings on those parts.')],
    ],
    ok(`ready at ${url}`),
  );
}

/**
 * The service to check: the one that is named, the one of this COUNCIL_HOME, or an API that was started on its own and
 * listens on PORT. Null if there is none; others may run on other ports.
 */
async function serviceUrl(context: DoctorContext): Promise<string | null> {
  const { env, running, settings } = context;
  const known = env['COUNCIL_BASE_URL'] ?? running?.url;
  if (known !== undefined) return known;
  if (!runsAlone(context)) return null;
  const url = `http://${dialled(settings.HOST)}:${settings.PORT}`;
  return typeof (await readReadiness(url)) === 'object' ? url : null;
}

const readinessShape = z.object({ checks: z.record(z.string(), z.string().nullable()) });

/** The answer of `/readyz`: a complaint or null for each part. `other`: another program answers there. */
async function readReadiness(url: string): Promise<Record<string, string | null> | 'unreachable' | 'other'> {
  const response = await get(new URL('/readyz', url));
  if (response === null) return 'unreachable';
  const parsed = readinessShape.safeParse(await response.json().catch(() => null));
  return parsed.success ? parsed.data.checks : 'other';
}

/** Null without an answer. */
function get(url: URL, headers: Record<string, string> = {}): Promise<Response | null> {
  return fetch(url, { headers, signal: AbortSignal.timeout(answerTimeoutMs) }).catch(() => null);
}

/** Whether the service accepts the key that the command line uses; no finding without a key or a service. */
export async function checkApiKey(context: DoctorContext): Promise<readonly Result[]> {
  const key = context.env['COUNCIL_API_KEY'];
  if (key === undefined || key === '') return [];
  const url = await serviceUrl(context);
  if (url === null || parseUrl(url) === null) return [];
  const response = await get(new URL('/api/credits/balance', url), { 'x-api-key': key });
  const silence = `no answer at ${url} to a request with COUNCIL_API_KEY`;
  return sayings([
    [response === null, warning(silence, 'Ask again.')],
    [response?.ok === true, ok('the service accepts COUNCIL_API_KEY')],
    [response?.status === 401, problem('the service does not accept COUNCIL_API_KEY', howToGetKey(url))],
  ]);
}

/** Whether the API can listen on its port. */
export async function checkPort(context: DoctorContext): Promise<Result> {
  const { settings, running } = context;
  const { PORT: port, HOST: host } = settings;
  if (port === 0) return ok('any free port');
  const state = await probePort(port, host);
  if (state === 'free') return ok(`${port} on ${host} is free`);
  const cannot = `cannot listen on ${host}:${port} (${state})`;
  const isOurs = running !== null && new URL(running.url).port === String(port);
  const isCouncil =
    state === 'taken' &&
    !isOurs &&
    typeof (await readReadiness(`http://${dialled(host)}:${port}`)) === 'object';
  const alone = runsAlone(context);
  const another = `${port} is in use by a council report service with another COUNCIL_HOME`;
  const program = `${port} is in use by another program`;
  const free = `\`lsof -i :${port}\` shows it. End it, or set PORT to a free port`;
  return firstOf(
    [
      [
        state === 'EACCES',
        problem(cannot, 'Ports below 1024 are reserved for the system: set PORT to a higher one.'),
      ],
      [
        state !== 'taken',
        problem(cannot, 'Set HOST to an address of this machine: 127.0.0.1, or 0.0.0.0 for all.'),
      ],
      [isOurs, ok(`${port} is in use by the service of this COUNCIL_HOME`)],
      [isCouncil && alone, ok(`${port} is in use by the API`)],
      [isCouncil, warning(another, 'If you want to run both, set PORT to another port.')],
      [alone, problem(program, `${free}: \`npm run api\` cannot start.`)],
    ],
    warning(program, `${free}; otherwise \`npm start\` uses another port and prints it.`),
  );
}

/** The address to connect to for a service that listens on `host`. */
function dialled(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host.includes(':') ? `[${host === '::' ? '::1' : host}]` : host;
}

/** The Web UI of the embedded Temporal server; no finding with an external Temporal. */
export async function checkUiPort({ settings, env, running }: DoctorContext): Promise<readonly Result[]> {
  if (settings.TEMPORAL_ADDRESS !== undefined || env['TEMPORAL_PROFILE'] !== undefined) return [];
  const port = settings.TEMPORAL_UI_PORT;
  if (port === 0) return [ok('any free port')];
  if ((await probePort(port, '127.0.0.1')) === 'free') return [ok(`${port} is free`)];
  if (running !== null && (await isTemporalUi(port))) return [ok(`${port} is in use by a Temporal Web UI`)];
  const next = 'Set TEMPORAL_UI_PORT to a free port; otherwise `npm start` uses another port and prints it.';
  return [warning(`${port} is in use by another program`, next)];
}

async function isTemporalUi(port: number): Promise<boolean> {
  const response = await get(new URL(`http://127.0.0.1:${port}/api/v1/settings`));
  const text = response?.ok === true ? await response.text().catch(() => '') : '';
  return text.includes('DefaultNamespace');
}

/** Tries to listen on a port. @returns the system's error code when that fails and the port is not taken */
function probePort(port: number, host: string): Promise<string> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', error => {
      const code = errorCode(error) ?? 'unknown';
      resolve(code === 'EADDRINUSE' ? 'taken' : code);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('free')));
  });
}
