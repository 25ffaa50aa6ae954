import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { choosePort } from '../../../platform/net/free-port.js';

test('choosePort takes the preferred port if it is free, and another one if it is taken', async () => {
  const preferred = await choosePort(0);
  expect(await choosePort(preferred)).toBe(preferred);
  const server = createServer().listen(preferred, '127.0.0.1');
  await once(server, 'listening');
  const other = await choosePort(preferred);
  expect(other).not.toBe(preferred);
  expect(other).toBeGreaterThan(0);
  server.close();
});
