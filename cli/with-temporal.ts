import { Client, Connection, type ConnectionOptions } from '@temporalio/client';

/** Does something with the Temporal server of the service, and leaves no connection open. */
export async function withTemporal<Result>(
  { connectionOptions, namespace }: { connectionOptions: ConnectionOptions; namespace: string },
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const connection = await Connection.connect(connectionOptions);
  try {
    return await use(new Client({ connection, namespace }));
  } finally {
    await connection.close();
  }
}
