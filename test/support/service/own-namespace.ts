import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { until } from '../until.js';

/**
 * A namespace of the test's own on the real server, for workflows whose ids say what they do: in the one that all
 * tests share, two files would meet in the same batch.
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
