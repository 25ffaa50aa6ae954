import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { isInternal } from '../../telemetry/is-internal.js';

const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
  isInternal({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);

describe('figures are told to', () => {
  test.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fd00::1',
  ])('%s, which is this machine or its private network', address => {
    expect(from(address)).toBe(true);
  });

  test.each([
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '192.169.0.1',
    '2001:db8::1',
    '::ffff:8.8.8.8',
    'fe80::1%eth0',
    'nonsense',
    '',
    undefined,
  ])('nobody at %s', address => {
    expect(from(address)).toBe(false);
  });

  test.each(['x-forwarded-for', 'forwarded'])('nobody for whom a proxy asks, as %s says', header => {
    expect(from('127.0.0.1', { [header]: '127.0.0.1' })).toBe(false);
  });
});
