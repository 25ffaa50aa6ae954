import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { until } from '../until.js';

/**
 * A new namespace on the shared server, for workflows with fixed ids: in the shared namespace, two test files
 * would use the same workflow.
 */
export async function ownNamespace(): Promise<string> {
  const namespace = `test-${randomUUID()}`;
  const connection = await Connection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
  try {
    const workflowExecutionRetentionPeriod = msToTs('1 day');
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
    const { workflow } = new Client({ connection, namespace });
    await until('the namespace is known everywhere', () =>
      workflow.count().then(
        () => true,
        () => false,
      ),
    );
  } finally {
    await connection.close();
  }
  return namespace;
}
