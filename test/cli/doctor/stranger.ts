import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from '@jest/globals';

/** Some other program that answers HTTP, and says that it is this time. @returns its port; it ends with the test */
export async function stranger(timeOf: () => Date = () => new Date()): Promise<number> {
  const server = createServer((_request, response) => {
    response.setHeader('date', timeOf().toUTCString());
    response.end('hello');
  });
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

let servers: Server[] = [];

afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});
