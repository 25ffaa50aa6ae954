import { WorkflowNotFoundError } from '@temporalio/client';
import type { TestService } from '../service/test-service.js';

const tables = [
  'report_purchases',
  'reports',
  'ledger_transfers',
  'ledger_entries',
  'idempotency_keys',
] as const;

/** The number of rows in each table that a purchase writes. */
export async function footprint({ database }: TestService): Promise<Record<string, number>> {
  const counts = tables.map(async table => {
    const { rows } = await database.db
      .selectFrom(table)
      .select(eb => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow();
    return [table, rows] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/**
 * Whether today's run of an account on an event was ever started. Reads the history itself, not the
 * visibility store.
 */
export async function hasWorkflow(
  { temporal, clock }: TestService,
  accountId: string,
  eventId: string,
): Promise<boolean> {
  const day = new Date(Date.now() + clock.offsetMs).toISOString().slice(0, 10);
  try {
    await temporal.workflow.getHandle(`report/${accountId}/${eventId}/${day}`).describe();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
