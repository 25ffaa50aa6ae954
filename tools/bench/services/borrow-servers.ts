import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { migrate } from '../../../db/migrate.js';
import { applyNamespace, applySearchAttributes } from '../../../platform/temporal/apply-namespace.js';
import { isNotFound } from '../../../platform/temporal/grpc-status.js';
import type { TemporalManifest } from '../../../platform/temporal/manifest.js';
import { clearDatabase, demandUnusedDatabase } from './empty-database.js';
import { type ExternalServers, ServersRefused } from './read-servers.js';

/** A database and a namespace for one measurement. */
export interface Servers {
  readonly databaseUrl: string;
  readonly ownerDatabaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly isEmbedded: boolean;
  /** Stops the servers, or removes from them what the measurement has made. */
  readonly end: () => Promise<void>;
}

/**
 * Uses servers that somebody else runs for one measurement: their unused database, and a namespace of its own. Both
 * are then as they were; nothing else on the servers changes.
 * @throws ServersRefused before anything is written
 */
export async function borrowServers(
  { databaseUrl, temporalAddress }: ExternalServers,
  manifest: TemporalManifest,
): Promise<Servers> {
  const wasMigrated = await demandUnusedDatabase(databaseUrl);
  const connection = await Connection.connect({ address: temporalAddress }).catch((error: unknown) => {
    throw new ServersRefused(`Temporal does not answer at ${temporalAddress}: ${String(error)}`);
  });
  const namespace = `bench-${randomUUID()}`;
  const target = { connection, namespace, manifest };
  try {
    await applyNamespace(target);
    await applySearchAttributes(target);
    await untilSearchable(connection, namespace, manifest);
  } catch (error) {
    await leaveTemporal(connection, namespace).catch(() => undefined);
    throw error;
  }
  return {
    databaseUrl,
    ownerDatabaseUrl: databaseUrl,
    temporalAddress,
    namespace,
    isEmbedded: false,
    end: async () => {
      try {
        await clearDatabase(databaseUrl);
        if (wasMigrated) await migrate(databaseUrl);
      } finally {
        await leaveTemporal(connection, namespace);
      }
    },
  };
}

const pollIntervalMs = 200;
const searchableWithinMs = 60_000;
/** The server deletes the runs of the namespace first. It goes on by itself if this is not enough. */
const deletedWithinMs = 60_000;

/** A cluster knows new search attributes some seconds after they were added. */
async function untilSearchable(
  connection: Connection,
  namespace: string,
  { search_attributes }: TemporalManifest,
): Promise<void> {
  const { workflow } = new Client({ connection, namespace });
  const query = Object.keys(search_attributes)
    .map(name => `${name} is null`)
    .join(' and ');
  await within(searchableWithinMs, () => workflow.count(query));
}

async function leaveTemporal(connection: Connection, namespace: string): Promise<void> {
  try {
    await deleteNamespace(connection, namespace);
  } finally {
    await connection.close();
  }
}

/** Waits until it is deleted, so that the work of it does not fall into the next measurement. */
async function deleteNamespace(connection: Connection, namespace: string): Promise<void> {
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
  await connection.operatorService.deleteNamespace({ namespace });
  const id = namespaceInfo?.id;
  if (id == null) return;
  const isDeleted = () =>
    connection.workflowService.describeNamespace({ id }).then(
      () => false,
      (error: unknown) => isNotFound(error),
    );
  const untilMs = performance.now() + deletedWithinMs;
  while (performance.now() < untilMs && !(await isDeleted())) await pause(pollIntervalMs);
}

async function within<Result>(ms: number, attempt: () => Promise<Result>): Promise<Result> {
  const untilMs = performance.now() + ms;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > untilMs) throw error;
      await pause(pollIntervalMs);
    }
  }
}
