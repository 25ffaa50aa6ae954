import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, outputOf } from './command.js';

/** A generator of clients, and the program in `callers/` that uses what it generates. */
export interface Generator {
  readonly name: string;
  /**
   * Generates a client from the document, compiles it together with its caller, and inspects the names and types.
   * @param folder a new folder
   * @returns the command that runs the caller
   * @throws Error that says what the generator or the compiler could not do
   */
  build(document: string, folder: string): Promise<Command>;
}

const here = resolve('test/generators');

/** @param tools the folder that `install.sh` prints */
export function generators(tools: string): readonly Generator[] {
  return [
    { name: 'openapi-python-client', build: (document, folder) => buildPython(tools, document, folder) },
    { name: 'oapi-codegen', build: (document, folder) => buildGo(tools, document, folder) },
    { name: 'openapi-typescript', build: (document, folder) => buildTypeScript(tools, document, folder) },
  ];
}

async function buildPython(tools: string, document: string, folder: string): Promise<Command> {
  const client = join(folder, 'council_client');
  await cp(join(here, 'callers/python'), folder, { recursive: true });
  await outputOf({
    program: join(tools, 'python/bin/openapi-python-client'),
    args: [
      'generate',
      `--path=${document}`,
      `--output-path=${client}`,
      '--meta=none',
      `--config=${join(here, 'python-client.yaml')}`,
      '--fail-on-warning',
    ],
  });
  expectNames(await readdir(join(client, 'models')));
  await expectTypes(join(client, 'api'));
  return { program: join(tools, 'python/bin/python'), args: ['call.py'], folder };
}

/** A model that has no name in the document is named after its place, for example `GetEventResponse404Code`. */
function expectNames(models: readonly string[]): void {
  const unnamed = models.filter(file => /_\d{3}_|_\d{3}\.py$|_type_\d/.test(file));
  if (unnamed.length > 0) throw new Error(`models without a name of their own: ${unnamed.join(', ')}`);
}

/** Responses have a type; only those without a body have none. */
async function expectTypes(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter(file => /\/[a-z]\w+\.py$/.test(file));
  if (files.length === 0) throw new Error('the client has no operations');
  for (const file of files) {
    const source = await readFile(join(folder, file), 'utf8');
    const untyped = [...source.matchAll(/response_(\d+) = (?:cast\(Any|response\.json\(\)$)/gm)];
    const wrong = untyped
      .map(([, status = '']) => status)
      .filter(status => !['204', '302', '304'].includes(status));
    if (wrong.length > 0) throw new Error(`${file} has no type for the responses ${wrong.join(', ')}`);
  }
}

async function buildGo(tools: string, document: string, folder: string): Promise<Command> {
  await cp(join(here, 'callers/go'), folder, { recursive: true });
  await mkdir(join(folder, 'client'));
  await outputOf({
    program: join(tools, 'bin/oapi-codegen'),
    args: [`-config=${join(here, 'oapi-codegen.yaml')}`, '-o', join(folder, 'client/client.go'), document],
  });
  // Without the path of the folder in it, what was compiled from the same files is found in Go's cache.
  return { program: 'go', args: ['run', '-trimpath', '.'], folder };
}

async function buildTypeScript(tools: string, document: string, folder: string): Promise<Command> {
  await cp(join(here, 'callers/typescript'), folder, { recursive: true });
  const modules = join(tools, 'node/node_modules');
  await symlink(modules, join(folder, 'node_modules'));
  await outputOf({
    program: join(modules, '.bin/openapi-typescript'),
    args: [document, '--output', join(folder, 'schema.d.ts')],
  });
  await outputOf({ program: resolve('node_modules/.bin/tsc'), args: ['-p', folder] });
  return { program: 'node', args: ['call.js'], folder };
}
