import { connect } from 'node:net';
import { Connection } from '@temporalio/client';

/** Whether the server answers and knows the namespace; rejects with the reason while it does not. */
export async function temporalReady(address: string, namespace: string): Promise<true> {
  await listens(address);
  // A proxy set for the outside world is no way to this machine itself.
  const channelArgs = { 'grpc.enable_http_proxy': 0 };
  const connection = await Connection.connect({ address, connectTimeout: 1_000, channelArgs });
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } finally {
    await connection.close();
  }
}

/** Asked first, because gRPC waits a whole second after a refused connection before it tries again. */
function listens(address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
