import {
  embeddedTemporalFlag,
  loopbackMetricsFlag,
  quietUntilStarted,
  shutdownRequested,
  tellReady,
} from '../platform/settings/lifetime.js';
import { createLogger } from '../platform/settings/logger.js';
import { readSettings } from '../platform/settings/settings.js';
import { runApi } from './server/run-api.js';

/** The API process, a composition root: `npm run api`, and a child of `npm start`. */
const log = createLogger('api');
quietUntilStarted(log);
const shutdown = shutdownRequested();

try {
  const settings = readSettings(process.env);
  const api = await runApi(settings, log, {
    isEmbedded: process.argv.includes(embeddedTemporalFlag),
    metricsOnLoopback: process.argv.includes(loopbackMetricsFlag),
  });
  tellReady({ ready: api.url });
  await shutdown;
  await api.close();
  process.exit(0);
} catch (error) {
  log.fatal(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
