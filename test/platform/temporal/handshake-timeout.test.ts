import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { withHandshakeTimeout } from '../../../platform/temporal/handshake-timeout.js';
import { until } from '../../support/until.js';

const withinMs = 500;

test('a connection that is accepted and never answered is closed and replaced; one that is answered stays', async () => {
  const [host = '', port = ''] = (process.env['TEST_TEMPORAL_ADDRESS'] ?? '').split(':');
  const accepted: Socket[] = [];
  const server = createServer(near => {
    accepted.push(near.on('error', () => undefined));
    if (accepted.length === 1) {
      near.resume();
      return;
    }
    const far = connect(Number(port), host).on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port: ownPort } = server.address() as AddressInfo;
  const connection = Connection.lazy({
    address: `127.0.0.1:${ownPort}`,
    channelArgs: { channelFactoryOverride: withHandshakeTimeout(withinMs) },
  });
  try {
    await until('the server is reached', () => isAnswered(connection));
    await until('the silent connection is closed', () => accepted[0]?.destroyed);
    const reachedAt = Date.now();
    await until('the time-out is over', async () => {
      expect(await isAnswered(connection)).toBe(true);
      return Date.now() - reachedAt > 3 * withinMs;
    });
    expect(accepted).toHaveLength(2);
  } finally {
    await connection.close();
    for (const socket of accepted) socket.destroy();
    await new Promise(resolve => server.close(resolve));
  }
});

function isAnswered(connection: Connection): Promise<boolean> {
  return connection
    .withDeadline(Date.now() + 5_000, () => connection.workflowService.getSystemInfo({}))
    .then(
      () => true,
      () => false,
    );
}
