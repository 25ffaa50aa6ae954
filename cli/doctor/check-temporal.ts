import type { Client } from '@temporalio/client';
import { findTemporal } from '../../platform/embedded/temporal/find-temporal.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import type { Settings } from '../../platform/settings/settings.js';
import { applyMaintenance, applyRetirement } from '../../platform/temporal/apply-manifest.js';
import {
  type ApplyStep,
  applyNamespace,
  applySearchAttributes,
} from '../../platform/temporal/apply-namespace.js';
import { isNotFound } from '../../platform/temporal/grpc-status.js';
import {
  manifestFor,
  readTemporalManifest,
  type TemporalManifest,
} from '../../platform/temporal/manifest.js';
import { buildsWithoutWorkers, livePollers } from '../../platform/temporal/worker-versions.js';
import { runOpenMaxMinutes } from '../../purchase/limits.js';
import {
  explainTemporalError,
  serverAddress,
  temporalPlace,
  withTemporal,
} from '../connections/with-temporal.js';
import { commandLine } from '../terminal/command-line.js';
import type { DoctorContext } from './doctor-context.js';
import { ok, problem, type Result, sayings, unreachable, warning } from './finding.js';
import { runChecks } from './run-checks.js';

const timeoutMs = 8_000;

/** Whether Temporal answers, matches `temporal.yaml` and has a worker; without one, whether it could be started. */
export async function checkTemporal(context: DoctorContext): Promise<readonly Result[]> {
  const { settings, env, running, now } = context;
  const manifest = manifestFor(settings.MARKETS, readTemporalManifest(projectFiles.temporalManifest));
  const isExternal = settings.TEMPORAL_ADDRESS !== undefined || env['TEMPORAL_PROFILE'] !== undefined;
  if (!isExternal && (running?.temporalAddress ?? null) === null) return [await findBinary(context)];
  try {
    const place = temporalPlace(manifest, settings, env);
    const address = serverAddress(place);
    return await withTemporal(place, client =>
      client.withDeadline(Date.now() + timeoutMs, async () => {
        const { serverVersion } = await client.workflowService.getSystemInfo({});
        const parts = await runChecks([
          { name: 'temporal_manifest', timeoutMs, run: () => checkManifest(client, manifest, address) },
          { name: 'worker', timeoutMs, run: () => checkWorkers(client, manifest, settings, now()) },
        ]);
        return [ok(`server ${serverVersion ?? 'of unknown version'} at ${address}`), ...parts];
      }),
    );
  } catch (error) {
    return [unreachable(error, isExternal ? null : 'temporal.log')];
  }
}

async function findBinary({ env }: DoctorContext): Promise<Result> {
  try {
    const binary = await findTemporal({ env, log: () => undefined, localOnly: true });
    return ok(`not configured; \`npm start\` starts its own with ${binary}`);
  } catch {
    return warning(
      'not configured, and no Temporal server is installed yet',
      '`npm start` downloads it from https://temporal.download, or builds it with Go if installed (about five minutes, once). Or set TEMPORAL_ADDRESS.',
    );
  }
}

/** Compares the server with `temporal.yaml`, as `temporal apply --dry-run` does. */
async function checkManifest(
  { connection, options: { namespace } }: Client,
  manifest: TemporalManifest,
  address: string,
): Promise<readonly Result[]> {
  const target = { connection, namespace, manifest, dryRun: true };
  try {
    const namespaceStep = await applyNamespace(target);
    if (namespaceStep.did === 'created') {
      return [problem(`there is no namespace ${namespace}`, `Create it: ${apply}`)];
    }
    return assessSteps(namespace, [
      namespaceStep,
      ...(await applySearchAttributes(target)),
      ...(await applyMaintenance(target)),
      ...(await applyRetirement(target, { prune: false })),
    ]);
  } catch (error) {
    const explained = explainTemporalError(error, { address, namespace });
    if (explained === null) throw error;
    return [warning(explained.detail, explained.next)];
  }
}

const apply = commandLine('temporal apply');

/** One finding for each kind of difference. */
function assessSteps(namespace: string, steps: readonly ApplyStep[]): readonly Result[] {
  const namesOf = (...differences: readonly string[]) =>
    steps.filter(({ kind, did }) => differences.includes(`${kind} ${did}`)).map(({ name }) => name);
  const missing = namesOf('search_attribute created', 'maintenance created');
  const mistyped = namesOf('search_attribute left');
  const different = namesOf('namespace updated', 'maintenance updated');
  const unknown = namesOf('maintenance left');
  const texts = {
    missing: `missing in namespace ${namespace}: ${missing.join(', ')}`,
    mistyped: `search attributes of another type: ${mistyped.join(', ')}`,
    different: `not as temporal.yaml describes: ${different.join(', ')}`,
    unknown: `maintenance workflows that are no longer in temporal.yaml: ${unknown.join(', ')}`,
  };
  const results = sayings([
    [missing.length > 0, problem(texts.missing, `Any worker creates them when it starts, or run ${apply}`)],
    [mistyped.length > 0, problem(texts.mistyped, `${apply} shows the type that each should have.`)],
    [different.length > 0, warning(texts.different, `${apply} --dry-run shows the difference.`)],
    [unknown.length > 0, warning(texts.unknown, `${apply} --prune removes them.`)],
  ]);
  const same = ok(`namespace ${namespace}, search attributes and maintenance are as described`);
  return results.length > 0 ? results : [same];
}

/** No finding without the namespace: the check of the manifest reports it. */
async function checkWorkers(
  { connection, options: { namespace } }: Client,
  { task_queue: taskQueue, versioning }: TemporalManifest,
  { TEMPORAL_DEPLOYMENT_NAME: deploymentName = versioning.deployment_name }: Settings,
  now: number,
): Promise<readonly Result[]> {
  const target = { connection, namespace };
  try {
    const pollers = await livePollers(target, taskQueue, now);
    const lost = await buildsWithoutWorkers(target, deploymentName, { taskQueue, now });
    const start = 'Start one: `npm run worker`, or `npm start`';
    return [
      pollers.length > 0
        ? ok(`${pollers.length} polling ${taskQueue}`)
        : warning(`no worker polls ${taskQueue}`, `${start}. Until then, runs wait. ${refundedLater}`),
      ...lost.map(buildId =>
        problem(
          `no worker of build ${buildId} runs, and open runs wait for it`,
          `Start its workers again (TEMPORAL_WORKER_BUILD_ID=${buildId}). ${refundedLater}`,
        ),
      ),
    ];
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

const refundedLater = `A run that has waited for ${runOpenMaxMinutes / 60} hours is refunded.`;
