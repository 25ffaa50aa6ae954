import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { projectFiles } from '../../platform/settings/project-files.js';
import { readSettings } from '../../platform/settings/settings.js';
import { type LaunchedProcesses, launch } from '../launch/launch.js';
import { explainFailure } from '../terminal/explain-failure.js';
import { TypeChecker } from './check-types.js';
import { compile, loads } from './compile.js';
import { simulateVenues } from './simulate-venues.js';
import { watchFolders } from './watch.js';

/**
 * `npm run dev`, a composition root: what `npm start` runs, and on every change of a source file compiles
 * that file, restarts the process that loads it, and then checks the types of the project. The page is served
 * by Vite from its sources, with hot reload. With `--venues`, the events are those of simulated venues.
 */
const { root } = projectFiles;

/** The folders that the build compiles. `web/` is not watched with them: Vite serves the page from its sources. */
const sourceFolders = readdirSync(join(root, 'dist')).filter(
  name => !/^(web|test)$/.test(name) && existsSync(join(root, name)),
);
const pagePort = 5173;
/** Requests that are held open, and model calls that have begun, get this long to end before a restart. */
const graceMs = { api: 100, worker: 10_000 };

let processes: LaunchedProcesses | null = null;

const say = (line: string) => process.stdout.write(`${line}\n`);
const types = new TypeChecker(root, say);
process.once('exit', () => types.stop());

function onChange(paths: ReadonlySet<string>): void {
  const sources = [...paths].filter(path => /(?<!\.d)\.ts$|\/.*\.json$/.test(path));
  const settings = [...paths].filter(path => path.endsWith('.yaml'));
  if (sources.length === 0 && settings.length === 0) return;
  try {
    for (const path of sources) compile(root, path);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return;
  }
  const isLoadedBy = (entry: string) => sources.some(path => loads(root, entry, path));
  const inBundle =
    isLoadedBy('dist/workflows/index.js') || sources.some(path => path.startsWith('workflows/'));
  if (inBundle) spawnSync('node', ['dist/cli/bundle-workflows.js'], { cwd: root, stdio: 'inherit' });
  const restart = {
    api: settings.length > 0 || isLoadedBy('dist/api/main.js'),
    worker: settings.length > 0 || inBundle || isLoadedBy('dist/activities/worker.js'),
  };
  const names = (['api', 'worker'] as const).filter(name => restart[name]);
  if (restart.api) processes?.api.restart(graceMs.api);
  if (restart.worker) for (const worker of processes?.workers ?? []) worker.restart(graceMs.worker);
  say(`Changed: ${[...paths].join(', ')}${names.length === 0 ? '' : ` · restarting ${names.join(' and ')}`}`);
  types.checkSoon();
}

async function servePage(apiUrl: string): Promise<void> {
  process.env['COUNCIL_BASE_URL'] = apiUrl;
  const server = await createServer({
    configFile: join(root, 'web', 'vite.config.ts'),
    server: { port: pagePort },
  });
  await server.listen();
  say(`Page with hot reload: ${server.resolvedUrls?.local[0] ?? ''}`);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

try {
  watchFolders(root, sourceFolders, onChange);
  watchFolders(root, ['.'], onChange, { recursive: false });
  watchFolders(root, ['web'], () => types.checkSoon());
  const venues = process.argv.includes('--venues') ? await simulateVenues(Date.now, say) : {};
  const env = { ...process.env, ...venues };
  await launch(readSettings(env), env, stop.signal, {
    versioned: false,
    onProcesses: started => {
      if (processes === null) {
        void started.api.ready
          .then(url => {
            // What this check notes makes the check after a change quick.
            types.checkSoon();
            return servePage(url);
          })
          .catch((error: unknown) => say(String(error)));
      }
      processes = started;
    },
  });
  process.exit(0);
} catch (error) {
  if (stop.signal.aborted) process.exit(0);
  const { message, next } = explainFailure(error);
  process.stderr.write(`\n${message}\n${next}\n`);
  process.exit(1);
}
