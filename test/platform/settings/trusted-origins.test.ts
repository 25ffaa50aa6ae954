import { describe, expect, test } from '@jest/globals';
import { readSettings } from '../../../platform/settings/settings.js';
import { trustedOriginsOf } from '../../../platform/settings/trusted-origins.js';

const origins = (env: Record<string, string>, ownAddresses: readonly string[] = ['192.168.1.5', 'fd00::5']) =>
  trustedOriginsOf(readSettings({ PORT: '3000', ...env }), ownAddresses);

const local = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'];

describe('the trusted origins', () => {
  test('are the public address alone, wherever the service listens', () => {
    for (const HOST of ['127.0.0.1', '0.0.0.0', '::']) {
      expect(origins({ HOST, PUBLIC_URL: 'https://Council.example:443/' })).toEqual([
        'https://council.example',
      ]);
    }
  });

  test('are the local names of a service for this machine', () => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1']) expect(origins({ HOST })).toEqual(local);
    expect(origins({ HOST: '127.0.0.2' })).toEqual([...local, 'http://127.0.0.2:3000']);
    expect(origins({ PORT: '80' })).toContain('http://localhost');
  });

  test('include the addresses of the machine if the service listens on all of them', () => {
    for (const HOST of ['0.0.0.0', '::']) {
      expect(origins({ HOST })).toEqual([...local, 'http://192.168.1.5:3000', 'http://[fd00::5]:3000']);
    }
  });

  test('are the one address that the service listens on, if it is not a local one', () => {
    expect(origins({ HOST: '192.168.1.5' })).toEqual(['http://192.168.1.5:3000']);
    expect(origins({ HOST: 'council.lan' })).toEqual(['http://council.lan:3000']);
  });
});
