import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ask, openAccountWithKey } from '../schemathesis/accounts.js';
import type { Results } from '../schemathesis/results-of.js';
import { type Comparison, generatedExamples, tryExample } from './check-examples.js';
import { type Generator, generators } from './clients.js';
import { outputOf } from './command.js';

/** Each client buys one of these with the weekly grant of an account of its own. */
const events = ['sample-crewed-moon-landing-2031', 'sample-hottest-year-2031', 'sample-great-quake-2031'];
/** For the programs of `examples/`, which an account with credits starts. */
const eventsOfExamples = ['sample-expo-host-2031', 'sample-calder-mayor-2031'];
/** Which that account cannot pay afterwards. */
const unpaidEvent = 'sample-harbour-cup-final-2031';

/**
 * Lints the document of a running service, and lets each generated client search events, check, buy and read a
 * report, and tell two problems apart. What a client has read must equal what the service has sent. Then starts the
 * programs of `examples/` that use such a client.
 * @param key of an account with credits
 * @param tools the folder that `install.sh` prints
 * @param folder an empty folder
 */
export async function checkGenerators(
  url: string,
  key: string,
  tools: string,
  folder: string,
): Promise<Results> {
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(await ask(url, 'GET', '/openapi.json', {})));
  const results = [await counted('spectral', () => lint(tools, document))];
  for (const [index, generator] of generators(tools).entries())
    results.push(
      await counted(generator.name, () =>
        faultsOf(generator, {
          url,
          document,
          folder: join(folder, generator.name),
          event: events[index] ?? '',
        }),
      ),
    );
  for (const [index, example] of generatedExamples(tools).entries())
    results.push(
      await counted(example.name, () =>
        tryExample(example, {
          url,
          key,
          document,
          folder: join(folder, example.name),
          event: eventsOfExamples[index] ?? '',
        }),
      ),
    );
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
  };
}

async function counted(name: string, compare: () => Promise<Comparison>): Promise<Results> {
  const { compared, faults } = await compare().catch((error: unknown) => ({
    compared: 1,
    faults: [error instanceof Error ? error.message : String(error)],
  }));
  for (const fault of faults) process.stderr.write(`${name}: ${fault}\n`);
  process.stderr.write(`${name}: ${compared - faults.length} passed, ${faults.length} failed\n`);
  return { passed: compared - faults.length, failed: faults.length };
}

async function lint(tools: string, document: string): Promise<Comparison> {
  await outputOf({
    program: join(tools, 'node/node_modules/.bin/spectral'),
    args: ['lint', '--ruleset=test/generators/spectral.yaml', '--fail-severity=warn', document],
  });
  return { compared: 1, faults: [] };
}

interface Task {
  readonly url: string;
  readonly document: string;
  readonly folder: string;
  readonly event: string;
}

async function faultsOf(generator: Generator, { url, document, folder, event }: Task): Promise<Comparison> {
  await mkdir(folder);
  const caller = await generator.build(document, folder);
  const key = await openAccountWithKey(url, generator.name);
  const expected = await beforePurchase(url, key, event);
  const env = { API_URL: url, API_KEY: key, EVENT_ID: event, UNPAID_EVENT_ID: unpaidEvent };
  const read = JSON.parse(await outputOf({ ...caller, env }));
  const all = Object.entries({ ...expected, ...(await afterPurchase(url, key, event)) });
  const faults = all
    .filter(([name, value]) => !isDeepStrictEqual(read[name], value))
    .map(([name, value]) => `${name} is ${JSON.stringify(read[name])}, not ${JSON.stringify(value)}`);
  return { compared: all.length, faults };
}

async function beforePurchase(url: string, key: string, event: string): Promise<object> {
  const list = await ask(url, 'GET', '/api/events?per_page=100', {});
  const check = await ask(url, 'GET', `/api/reports/check/${event}`, { 'X-API-Key': key });
  return {
    event_ids: list.events.map((each: any) => each.event_id),
    sides: list.events[0].markets[0].outcomes,
    cost_credits: check.cost_credits,
    pool: check.pool,
    // Nothing of the unpaid report can be paid: the grant is used, and there are no credits.
    missing_credits: check.pricing.fresh_credits,
  };
}

async function afterPurchase(url: string, key: string, event: string): Promise<object> {
  const { reports } = await ask(url, 'GET', '/api/reports', { 'X-API-Key': key });
  const { id } = reports.find(({ event_id }: any) => event_id === event);
  const report = await ask(url, 'GET', `/api/reports/${id}`, { 'X-API-Key': key });
  return {
    report_id: id,
    status: 'completed',
    action: report.action,
    probability: report.probability,
    chairman: report.council_config.runtime.chairman,
    evidence_status: report.council_config.runtime.evidence.status,
    sources: report.deliberation.evidence.items.map(({ id, domain }: any) => `${id} ${domain}`),
    cited: report.deliberation.opinions.flatMap(({ evidence }: any) =>
      evidence.flatMap(({ sources }: any) => sources),
    ),
    unknown_is_not_found: true,
    unpaid_is_insufficient_credits: true,
  };
}
