import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bundleWorkflowCode } from '@temporalio/worker';
import { projectFiles } from '../config/project-files.js';

/**
 * Builds the one workflow bundle that workers run: made once, at build time, so that every worker of a
 * deployment replays with exactly the same code.
 */
const { resolve } = createRequire(import.meta.url);
const { code } = await bundleWorkflowCode({
  workflowsPath: resolve('../workflows/index.js'),
  workflowInterceptorModules: [resolve('../workflows/pass-trace-on.js')],
  logger: { trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error, log() {} },
});
writeFileSync(projectFiles.workflowBundle, code);
