import type { Client } from '@temporalio/client';
import { projectFiles } from '../../config/project-files.js';
import { readTemporalManifest, type TemporalManifest } from '../../config/temporal-manifest.js';
import { findTemporal } from '../embedded/find-temporal.js';
import { Failure } from '../failure.js';
import { temporalHere } from '../temporal-here.js';
import { addressOf, withTemporal } from '../with-temporal.js';
import { checkManifest } from './check-manifest.js';
import { checkWorker } from './check-worker.js';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem, warning } from './finding.js';
import { runChecks } from './run-checks.js';

const answersWithinMs = 8_000;

/** Whether Temporal answers, is what `temporal.yaml` describes, and has a worker; or else how it would be come by. */
export async function checkTemporal(world: DoctorWorld): Promise<readonly Finding[]> {
  const { settings, env, running, now } = world;
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  const profile = env['TEMPORAL_PROFILE'];
  const isNamed = settings.TEMPORAL_ADDRESS !== undefined || profile !== undefined;
  if (!isNamed && (running?.temporalAddress ?? null) === null) return [await lookForBinary(world)];
  try {
    const place = temporalHere(manifest, settings, profile);
    return await withTemporal(place, client =>
      client.withDeadline(Date.now() + answersWithinMs, () =>
        examine(client, manifest, addressOf(place), now),
      ),
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const next = isNamed
      ? error.next
      : 'Look at logs/temporal.log in COUNCIL_HOME, and start anew (`npm start`).';
    return [problem('temporal', error.message, next)];
  }
}

async function examine(
  client: Client,
  manifest: TemporalManifest,
  address: string,
  now: () => number,
): Promise<readonly Finding[]> {
  const { serverVersion } = await client.workflowService.getSystemInfo({});
  const server = ok('temporal', `server ${serverVersion ?? 'of unknown version'} at ${address}`);
  const within = await runChecks([
    {
      name: 'temporal_manifest',
      withinMs: answersWithinMs,
      look: () => checkManifest(client, manifest, address),
    },
    { name: 'worker', withinMs: answersWithinMs, look: () => checkWorker(client, manifest, now()) },
  ]);
  return [server, ...within];
}

async function lookForBinary({ env }: DoctorWorld): Promise<Finding> {
  try {
    const binary = await findTemporal({ env, log: () => undefined, onlyLook: true });
    return ok('temporal', `none is set; \`npm start\` brings its own, run by ${binary}`);
  } catch {
    return warning(
      'temporal',
      'none is set, and there is no Temporal server on this machine yet',
      '`npm start` downloads it from https://temporal.download, or builds it where Go is (about five minutes, once). Or set TEMPORAL_ADDRESS.',
    );
  }
}
