import { z } from 'zod';
import { howToGetKey } from '../terminal/explain-failure.js';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem } from './finding.js';

/** Whether the API that is meant to be there answers, and whether it can do its work. */
export async function checkService({ env, running, holder }: DoctorWorld): Promise<readonly Finding[]> {
  const url = env['COUNCIL_BASE_URL'] ?? running?.url;
  if (url === undefined) return [ok('service', 'none runs here; `npm start` starts one')];
  if (!URL.canParse(url)) {
    return [
      problem('service', 'COUNCIL_BASE_URL is no address', 'Set it to one such as http://127.0.0.1:3000.'),
    ];
  }
  const found = await askReadiness(url);
  if (found === 'absent') {
    const next =
      env['COUNCIL_BASE_URL'] === undefined
        ? `End process ${holder} and start anew (\`npm start\`); its output says more.`
        : 'Start it there, or correct COUNCIL_BASE_URL; without it the service running here is asked.';
    return [problem('service', `nobody answers at ${url}`, next)];
  }
  if (found === 'stranger') {
    return [problem('service', `${url} is not this service`, 'Correct COUNCIL_BASE_URL.')];
  }
  return [judge(url, found)];
}

function judge(url: string, readiness: Readiness): Finding {
  const down = Object.entries(readiness).filter(([, complaint]) => complaint !== null);
  if (down.length === 0) return ok('service', `ready at ${url}`);
  const parts = down.map(([part, complaint]) => `${part} ${complaint}`).join(', ');
  return problem(
    'service',
    `${url} is up and not ready: ${parts}`,
    'The findings on those parts say what to do.',
  );
}

const answerWithinMs = 4_000;

/** Whether the key that the command line would use is taken; nothing where there is no key or nobody to ask. */
export async function checkApiKey({ env, running }: DoctorWorld): Promise<readonly Finding[]> {
  const key = env['COUNCIL_API_KEY'];
  const url = env['COUNCIL_BASE_URL'] ?? running?.url;
  if (key === undefined || key === '' || url === undefined || !URL.canParse(url)) return [];
  const answer = await fetch(new URL('/api/credits/balance', url), {
    headers: { 'x-api-key': key },
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch(() => null);
  if (answer?.ok === true) return [ok('api_key', 'COUNCIL_API_KEY is taken')];
  if (answer?.status !== 401) return [];
  return [problem('api_key', 'the service does not take the key in COUNCIL_API_KEY', howToGetKey(url))];
}

const checksShape = z.object({ checks: z.record(z.string(), z.string().nullable()) });

/** What is wrong with each part of the service; null is nothing. */
export type Readiness = Readonly<Record<string, string | null>>;

/** Asks `/readyz`. `absent`: nobody answers there. `stranger`: whoever answers is not this service. */
export async function askReadiness(url: string): Promise<Readiness | 'absent' | 'stranger'> {
  let response: Response;
  try {
    response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(answerWithinMs) });
  } catch {
    return 'absent';
  }
  const parsed = checksShape.safeParse(await response.json().catch(() => null));
  return parsed.success ? parsed.data.checks : 'stranger';
}
