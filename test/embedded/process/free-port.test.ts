import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { choosePort } from '../../../embedded/process/free-port.js';

test('the preferred port is chosen while it is free, another one when it is taken', async () => {
  const preferred = await choosePort(0);
  expect(await choosePort(preferred)).toBe(preferred);
  const server = createServer().listen(preferred, '127.0.0.1');
  await once(server, 'listening');
  const other = await choosePort(preferred);
  expect(other).not.toBe(preferred);
  expect(other).toBeGreaterThan(0);
  server.close();
});
