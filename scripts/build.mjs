import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runSteps } from './build-steps.mjs';

/** `npm run build`: builds `dist/`, and of it only what changed. Plain JavaScript, because it runs before any compiler. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Changes of these can change the result of every step. */
const shared = ['scripts', 'package-lock.json', 'tsconfig.json'];

const serviceFolders = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')).include;

// Which folders a step reads follows from the import rules (test/architecture/import-rules.ts).
runSteps(root, [
  {
    name: 'service',
    inputs: [...shared, 'tsconfig.build.json', ...serviceFolders],
    outputs: serviceFolders.map(folder => `dist/${folder}`),
    command: ['node_modules/.bin/tsc', '-p', 'tsconfig.build.json'],
    cache: 'dist/.tsbuildinfo',
  },
  {
    name: 'pages',
    inputs: [...shared, 'web', 'client', 'contract', 'council'],
    outputs: ['dist/web'],
    command: ['node_modules/.bin/tsc', '-p', 'web/tsconfig.json'],
    cache: 'dist/.web.tsbuildinfo',
  },
  {
    name: 'browser bundle',
    inputs: [...shared, 'web', 'client', 'contract', 'council'],
    outputs: ['dist/web-client'],
    command: ['node_modules/.bin/vite', 'build', '--config', 'web/vite.config.ts'],
  },
  {
    name: 'workflow bundle',
    inputs: [...shared, 'workflows', 'council', 'config', 'cli/bundle-workflows.ts'],
    outputs: ['dist/workflow-bundle.cjs'],
    command: ['node', 'dist/cli/bundle-workflows.js'],
  },
]);
