import { cp, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ask } from '../schemathesis/accounts.js';
import { type Command, outputOf } from './command.js';

/** What was compared, and what of it was wrong. */
export interface Comparison {
  readonly compared: number;
  readonly faults: readonly string[];
}

/** A program of `examples/` with the client that it needs, ready to be started with an event and a limit in credits. */
export interface Example {
  readonly name: string;
  build(document: string, folder: string): Promise<Command>;
}

/** @param tools the folder that `install.sh` prints */
export function generatedExamples(tools: string): readonly Example[] {
  return [
    { name: 'examples/report.py', build: (document, folder) => buildPython(tools, document, folder) },
    { name: 'examples/report.go', build: (document, folder) => buildGo(tools, document, folder) },
  ];
}

/** As the head of the program says, with the versions of `install.sh`. */
async function buildPython(tools: string, document: string, folder: string): Promise<Command> {
  await mkdir(folder, { recursive: true });
  await cp('examples/report.py', join(folder, 'report.py'));
  const generator = join(tools, 'python/bin/openapi-python-client');
  const config = resolve('test/generators/python-client.yaml');
  const args = ['generate', `--path=${document}`, '--meta=none', `--config=${config}`];
  await outputOf({ program: generator, args: [...args, '--output-path=council_client'], folder });
  return { program: join(tools, 'python/bin/python'), args: ['report.py'], folder };
}

async function buildGo(tools: string, document: string, folder: string): Promise<Command> {
  await mkdir(join(folder, 'council'), { recursive: true });
  await cp('examples/report.go', join(folder, 'report.go'));
  // Of the other program in Go, so that the versions are pinned in one place.
  for (const file of ['go.mod', 'go.sum'])
    await cp(join('test/generators/callers/go', file), join(folder, file));
  await outputOf({ program: 'go', args: ['mod', 'edit', '-module', 'example'], folder });
  const args = ['-generate', 'types,client', '-package', 'council', '-o', 'council/client.go', document];
  await outputOf({ program: join(tools, 'bin/oapi-codegen'), args, folder });
  await outputOf({ program: 'go', args: ['vet', '.'], folder });
  return { program: 'go', args: ['run', '-trimpath', '.'], folder };
}

interface Trial {
  readonly url: string;
  /** Of an account with credits and without a subscription. */
  readonly key: string;
  readonly document: string;
  readonly folder: string;
  /** Nobody has bought its report today. */
  readonly event: string;
}

/**
 * A program that may spend too little buys nothing and says so by its exit code; with enough it buys, waits and prints;
 * started again, it prints the same report for nothing.
 */
export async function tryExample(example: Example, trial: Trial): Promise<Comparison> {
  const { url, key, event } = trial;
  const program = await example.build(trial.document, trial.folder);
  const env = { COUNCIL_BASE_URL: url, COUNCIL_API_KEY: key };
  const start = (limit: string) => outputOf({ ...program, args: [...program.args, event, limit], env });
  const balance = async (): Promise<number> =>
    (await ask(url, 'GET', '/api/credits/balance', { 'X-API-Key': key })).balance_credits;
  const { title } = await ask(url, 'GET', `/api/events/${event}`, {});
  const before = await balance();
  const tooLow: string[] = [];
  for (const limit of ['0', '50', 'many'])
    if (await start(limit).catch(() => null)) tooLow.push(`it has bought within ${limit}`);
  const untouched = await balance();
  const printed = await start('150');
  const cost = untouched - (await balance());
  const again = await start('150');
  const more = untouched - cost - (await balance());
  const faults = [
    ...tooLow,
    ...(untouched === before ? [] : [`it has spent ${before - untouched} credits above its limit`]),
    ...(cost > 0 && cost <= 150 ? [] : [`it has spent ${cost} credits within 150`]),
    ...(more === 0 ? [] : [`it has spent ${more} credits on a report that was bought`]),
    ...[printed, again].filter(text => !text.includes(title)).map(text => `printed: ${text.slice(0, 200)}`),
  ];
  return { compared: 8, faults };
}
