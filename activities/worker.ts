import { parseArgs } from 'node:util';
import { quietUntilStarted, shutdownRequested } from '../platform/settings/lifetime.js';
import { createLogger } from '../platform/settings/logger.js';
import { readSettings } from '../platform/settings/settings.js';
import { runWorker } from './worker/run-worker.js';

/** The worker process, a composition root: `npm run worker`, and a child of `npm start`. */
const log = createLogger('worker');
const isStarting = quietUntilStarted(log);
const asked = shutdownRequested();

try {
  const settings = readSettings(process.env);
  const healthPort = process.env['PORT'] === undefined ? null : settings.PORT;
  const { workflowBundle } = readOptions();
  await runWorker(settings, {
    log,
    isStarting,
    asked,
    healthPort,
    ...(workflowBundle === undefined ? {} : { workflowBundle }),
  });
  process.exit(0);
} catch (error) {
  log.fatal(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

/** `--workflow-bundle FILE`: the workflow code of an earlier build, for the runs that began on it. */
function readOptions(): { readonly workflowBundle: string | undefined } {
  const { values } = parseArgs({
    options: { 'workflow-bundle': { type: 'string' }, 'quiet-start': { type: 'boolean' } },
  });
  return { workflowBundle: values['workflow-bundle'] };
}
