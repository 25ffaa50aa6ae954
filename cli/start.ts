import { readSettings } from '../platform/settings/settings.js';
import { launch } from './launch/launch.js';
import { explainFailure } from './terminal/explain-failure.js';

/** `npm start`: the whole service on one machine, until Ctrl-C or SIGTERM. */
const shutdown = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => shutdown.abort());

try {
  await launch(readSettings(process.env), process.env, shutdown.signal);
  process.exit(0);
} catch (error) {
  if (shutdown.signal.aborted) process.exit(0);
  const { message, next } = explainFailure(error);
  console.error(`\n${message}\n${next}`);
  process.exit(1);
}
