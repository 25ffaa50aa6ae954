import { howToGetKey } from '../advice-on-problem.js';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem } from './finding.js';

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
