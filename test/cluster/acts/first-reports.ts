import { CouncilReports } from '../../../client/index.js';
import type { Cluster } from '../servers/cluster.js';
import type { Stage } from './act.js';

const reportsWanted = 20;

/** Opens the first account by the steps of deploy/README.md. It and nineteen others buy a report, one after another. */
export async function buyFirstReports({ cluster, callers, say }: Stage): Promise<readonly string[]> {
  const firstKey = await openFirstAccount(cluster);
  say('The first account has its credits and its key.');
  const baseUrl = cluster.env['PUBLIC_URL'] ?? '';
  const tookMs: number[] = [];
  for (let number = 1; number <= reportsWanted; number++) {
    const { customer, eventId } = callers.next();
    const apiKey = number === 1 ? firstKey : customer.apiKey;
    const begunAt = performance.now();
    // Throws unless the report is completed.
    await new CouncilReports({ apiKey, baseUrl }).reports.runAndWait({ eventId, lane: 'credits' });
    tookMs.push(performance.now() - begunAt);
  }
  const median = tookMs.toSorted((one, other) => one - other)[reportsWanted / 2] ?? 0;
  say(`${reportsWanted} reports completed, one after another, in ${Math.round(median)} ms each (median).`);
  return [];
}

/** @returns its API key */
async function openFirstAccount(cluster: Cluster): Promise<string> {
  const build = cluster.build('one');
  await build.run('account');
  const printed = await build.run('credits', { DATABASE_URL: cluster.url });
  const [apiKey] = /^pc_\w+$/m.exec(printed) ?? [];
  if (apiKey === undefined) throw new Error(`the step credits printed no key: ${printed}`);
  return apiKey;
}
