import { askReadiness, type Readiness } from './ask-readiness.js';
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
