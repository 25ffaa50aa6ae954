import { createLogger } from '../config/create-logger.js';
import { untilAskedToEnd } from '../config/lifetime.js';
import { readSettings } from '../config/settings.js';
import { runWorker } from './run-worker.js';

/** The worker process, a composition root: `npm run worker`, and a child of `npm start`. */
const log = createLogger('worker');
const asked = untilAskedToEnd();

try {
  const settings = readSettings(process.env);
  const healthPort = process.env['PORT'] === undefined ? null : settings.PORT;
  await runWorker(settings, { log, asked, healthPort });
  process.exit(0);
} catch (error) {
  log.fatal(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
