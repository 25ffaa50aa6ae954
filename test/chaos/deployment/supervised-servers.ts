import { startPostgres } from '../../../platform/embedded/postgres/start-postgres.js';
import { findTemporal } from '../../../platform/embedded/temporal/find-temporal.js';
import { startTemporal } from '../../../platform/embedded/temporal/start-temporal.js';
import { choosePort } from '../../../platform/net/free-port.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { readTemporalManifest } from '../../../platform/temporal/manifest.js';
import type { Timeline } from '../faults/timeline.js';
import { SupervisedServer } from './supervised-server.js';

/** For two APIs, two workers (deploy/README.md, "Sizing") and the suite itself. */
const connectionsMax = 150;

export type SupervisedServers = Awaited<ReturnType<typeof startServers>>;

/** PostgreSQL and Temporal as `npm start` runs them. Each is restarted on the same data when it dies. */
export async function startServers(home: string, timeline: Timeline) {
  const log = () => undefined;
  const { namespace, embedded_server } = readTemporalManifest(projectFiles.temporalManifest);
  const { flags } = embedded_server;
  const [postgresPort, temporalPort] = [await choosePort(0), await choosePort(0)];
  const binary = await findTemporal({ env: process.env, log });
  const postgres = new SupervisedServer('PostgreSQL', timeline, () =>
    startPostgres({ home, port: postgresPort, connectionsMax, log }),
  );
  const temporal = new SupervisedServer('Temporal', timeline, () =>
    startTemporal({ binary, home, namespace, port: temporalPort, uiPort: 0, flags, log }),
  );
  await Promise.all([postgres.start(), temporal.start()]);
  return { postgres, temporal };
}
