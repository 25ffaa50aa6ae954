import { randomUUID } from 'node:crypto';
import { createBatch, readBatch, type StoredBatch } from '../../../db/batches/batches.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import type { TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

interface Asked {
  readonly eventIds: readonly string[];
  readonly budgetCredits?: number;
  readonly maxCreditsEach?: number;
  readonly maxInFlight?: number;
  readonly minMembers?: number;
}

/** Stores a batch and starts it. */
export async function startBatch(
  { database, batchRuns }: TestService,
  caller: TestCaller,
  { eventIds, budgetCredits = 1_000_000, maxCreditsEach, maxInFlight = 10, minMembers = 2 }: Asked,
): Promise<string> {
  const created = await createBatch(database.db, {
    id: randomUUID(),
    accountId: caller.accountId,
    apiKeyId: null,
    name: null,
    lane: 'credits',
    budgetCredits,
    maxCreditsEach: maxCreditsEach ?? null,
    minMembers,
    maxInFlight,
    eventIds,
    idempotency: { key: randomUUID(), fingerprint: 'test' },
    now: new Date(),
  });
  if (created === 'mismatch' || 'nextAt' in created) throw new Error('the batch was not created');
  await batchRuns.start(await readBatch(database.db, created.id));
  return created.id;
}

/** Reads a batch until it has ended or is paused. */
export function untilHeld({ database }: TestService, id: string): Promise<StoredBatch> {
  return until(
    'the batch has ended or is paused',
    () => readBatch(database.db, id),
    ({ status }) => status !== 'running',
  );
}
