import { runWorker } from '../activities/run-worker.js';
import { createLogger } from '../config/create-logger.js';
import { untilAskedToEnd } from '../config/lifetime.js';
import { readSettings } from '../config/settings.js';
import { noOpModels } from './no-op-models.js';

/** The worker process as it is deployed, but for its models: they do nothing. */
await runWorker(readSettings(process.env), {
  log: createLogger('worker'),
  asked: untilAskedToEnd(),
  healthPort: null,
  openModels: () => Promise.resolve(noOpModels()),
});
process.exit(0);
