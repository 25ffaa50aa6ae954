import { runWorker } from '../../../activities/worker/run-worker.js';
import { quietUntilStarted, shutdownRequested } from '../../../platform/settings/lifetime.js';
import { createLogger } from '../../../platform/settings/logger.js';
import { readSettings } from '../../../platform/settings/settings.js';

/** A worker process of the suite: that of the service, but a webhook that failed is tried again within seconds, not days. */
const webhookPausesSeconds = [1, 1, 2, 2, 3, 3, 5, 5, 5];

const log = createLogger('worker');
const isStarting = quietUntilStarted(log);
const asked = shutdownRequested();

try {
  const settings = readSettings(process.env);
  await runWorker(settings, { log, isStarting, asked, healthPort: settings.PORT, webhookPausesSeconds });
  process.exit(0);
} catch (error) {
  log.fatal(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
