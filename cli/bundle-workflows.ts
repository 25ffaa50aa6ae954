import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { bundleWorkflowCode } from '@temporalio/worker';
import { projectFiles } from '../platform/settings/project-files.js';

/**
 * Builds the workflow bundle. All workers of a deployment run the same bundle, so that they replay with exactly the
 * same code.
 */
const { resolve } = createRequire(import.meta.url);
const { code } = await bundleWorkflowCode({
  workflowsPath: resolve('../workflows/index.js'),
  workflowInterceptorModules: [resolve('../workflows/pass-trace-on.js')],
  logger: { trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error, log() {} },
});
writeFileSync(projectFiles.workflowBundle, code);
