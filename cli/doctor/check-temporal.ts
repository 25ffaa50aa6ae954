import { type Client, isGrpcServiceError } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { projectFiles } from '../../config/project-files.js';
import { applyMaintenance, applyRetirement } from '../../config/temporal/apply-manifest.js';
import {
  type ApplyStep,
  applyNamespace,
  applySearchAttributes,
} from '../../config/temporal/apply-namespace.js';
import { readTemporalManifest, type TemporalManifest } from '../../config/temporal/manifest.js';
import { findTemporal } from '../../embedded/temporal/find-temporal.js';
import { temporalHere } from '../connections/temporal-here.js';
import { addressOf, explainTemporalError, withTemporal } from '../connections/with-temporal.js';
import { commandLine } from '../groups/command-line.js';
import { Failure } from '../terminal/failure.js';
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

/** Holds the server against `temporal.yaml`, as `temporal apply --dry-run` does. */
async function checkManifest(
  { connection, options: { namespace } }: Client,
  manifest: TemporalManifest,
  address: string,
): Promise<readonly Finding[]> {
  const target = { connection, namespace, manifest, dryRun: true };
  try {
    const there = await applyNamespace(target);
    if (there.did === 'created') {
      return [problem('temporal_manifest', `there is no namespace ${namespace}`, `Make it: ${apply}`)];
    }
    const steps = [
      there,
      ...(await applySearchAttributes(target)),
      ...(await applyMaintenance(target)),
      ...(await applyRetirement(target, { prune: false })),
    ];
    return judge(namespace, steps);
  } catch (error) {
    const explained = explainTemporalError(error, { address, namespace });
    if (explained === null) throw error;
    return [warning('temporal_manifest', explained.detail, explained.next)];
  }
}

const apply = commandLine('temporal apply');

function judge(namespace: string, steps: readonly ApplyStep[]): Finding[] {
  const which = (kind: ApplyStep['kind'], did: ApplyStep['did']) =>
    steps.filter(step => step.kind === kind && step.did === did).map(({ name }) => name);
  const missing = [...which('search_attribute', 'created'), ...which('maintenance', 'created')];
  const otherType = which('search_attribute', 'left');
  const differ = [...which('namespace', 'updated'), ...which('maintenance', 'updated')];
  const retired = which('maintenance', 'left');
  const tell = (names: readonly string[], make: typeof problem, what: string, next: string) =>
    names.length === 0 ? [] : [make('temporal_manifest', `${what}: ${names.join(', ')}`, next)];
  const findings = [
    ...tell(
      missing,
      problem,
      `missing in namespace ${namespace}`,
      `Any worker creates them when it starts, or ${apply}`,
    ),
    ...tell(
      otherType,
      problem,
      'search attributes of another type',
      `${apply} says which type each should have.`,
    ),
    ...tell(differ, warning, 'not as temporal.yaml describes', `${apply} --dry-run shows the difference.`),
    ...tell(
      retired,
      warning,
      'maintenance that temporal.yaml no longer names',
      `${apply} --prune removes it.`,
    ),
  ];
  return findings.length > 0
    ? findings
    : [ok('temporal_manifest', `namespace ${namespace}, search attributes and maintenance are as described`)];
}

/** A worker asks for work at least once a minute; the server remembers one that is gone for five. */
const asksAgainWithinMs = 90_000;
const workflowTaskQueue = 1;

const notFound = 5;

/** Nothing where the namespace is not there: nobody can work in it, and the check of the manifest says so. */
async function checkWorker(
  client: Client,
  { task_queue: name }: TemporalManifest,
  now: number,
): Promise<readonly Finding[]> {
  const polled = await lastPolls(client, name);
  if (polled === null) return [];
  const alive = polled.filter(at => now - at < asksAgainWithinMs);
  if (alive.length > 0) return [ok('worker', `asking for work on ${name}: ${alive.length}`)];
  const next =
    'Start one: `npm run worker`, or `npm start`. Until then reports wait, and are neither made nor refunded.';
  return [warning('worker', `none asks for work on ${name}`, next)];
}

async function lastPolls(
  { workflowService, options: { namespace } }: Client,
  name: string,
): Promise<readonly number[] | null> {
  try {
    const { pollers } = await workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: workflowTaskQueue,
    });
    return (pollers ?? []).map(({ lastAccessTime }) => tsToMs(lastAccessTime));
  } catch (error) {
    const code: number | null = isGrpcServiceError(error) ? error.code : null;
    if (code === notFound) return null;
    throw error;
  }
}
