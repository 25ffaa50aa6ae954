import { NativeConnection, Runtime, type RuntimeOptions } from '@temporalio/worker';

/**
 * Installs the runtime of the Temporal SDK, of which a process has one. An earlier test file in the same process may have
 * left its own, because only the end of a connection or a worker ends it.
 */
export async function installRuntime(options: RuntimeOptions): Promise<void> {
  const connection = await NativeConnection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
  await connection.close();
  Runtime.install(options);
}
