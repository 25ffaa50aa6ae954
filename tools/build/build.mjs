import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runSteps } from './build-steps.mjs';

/** `npm run build`: builds `dist/`, and of it only what changed. Plain JavaScript, because it runs before any compiler. */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Changes of these can change the result of every step. */
const shared = ['tools/build', 'package-lock.json', 'tsconfig.json'];

/** What `tsconfig.build.json` compiles: all code but the page, which has its own settings, and the tests. */
const serviceFolders = readdirSync(root, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && !/^(\.|node_modules$|dist$|coverage$|web$|test$)/.test(entry.name))
  .map(entry => entry.name)
  .filter(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).some(name => name.endsWith('.ts')),
  );

// Which folders a step reads follows from the import rules (test/architecture/import-rules.ts).
runSteps(root, [
  {
    name: 'service',
    inputs: [...shared, 'tsconfig.build.json', ...serviceFolders],
    outputs: serviceFolders.map(folder => `dist/${folder}`),
    command: ['node_modules/.bin/tsc', '-p', 'tsconfig.build.json'],
    cache: 'dist/.tsbuildinfo',
    leavesStale: true,
  },
  {
    name: 'client package',
    inputs: [...shared, 'client'],
    outputs: ['client/dist'],
    command: ['node_modules/.bin/tsc', '-p', 'client/tsconfig.json'],
    leavesStale: true,
  },
  {
    name: 'pages',
    inputs: [...shared, 'web', 'client', 'contract', 'council', 'record', 'purchase'],
    outputs: ['dist/web'],
    command: ['node_modules/.bin/tsc', '-p', 'web/tsconfig.json'],
    cache: 'dist/.web.tsbuildinfo',
    leavesStale: true,
  },
  {
    name: 'browser bundle',
    inputs: [...shared, 'web', 'client', 'contract', 'council', 'record', 'purchase'],
    outputs: ['dist/web-client'],
    command: ['node_modules/.bin/vite', 'build', '--config', 'web/vite.config.ts'],
  },
  {
    name: 'workflow bundle',
    inputs: [
      ...shared,
      'workflows',
      'council',
      'purchase',
      'record',
      'platform/settings',
      'cli/bundle-workflows.ts',
    ],
    outputs: ['dist/workflow-bundle.cjs'],
    command: ['node', 'dist/cli/bundle-workflows.js'],
  },
]);
