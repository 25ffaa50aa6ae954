import { describe, expect, test } from '@jest/globals';
import { readServers, ServersRefused, withoutServers } from '../../../tools/bench/services/read-servers.js';

const DATABASE_URL = 'postgres://council@db.example/council';
const TEMPORAL_ADDRESS = 'temporal.example:7233';

describe('the servers of the bench', () => {
  test('are those of the environment if it names both', () => {
    expect(readServers({ DATABASE_URL, TEMPORAL_ADDRESS, PATH: '/bin' })).toEqual({
      databaseUrl: DATABASE_URL,
      temporalAddress: TEMPORAL_ADDRESS,
    });
  });

  test.each([{}, { DATABASE_URL: '', TEMPORAL_ADDRESS: '' }])('are its own with %j', env => {
    expect(readServers(env)).toBeNull();
  });

  test.each([
    [{ DATABASE_URL }, 'DATABASE_URL is set and TEMPORAL_ADDRESS is not.'],
    [{ DATABASE_URL: '', TEMPORAL_ADDRESS }, 'TEMPORAL_ADDRESS is set and DATABASE_URL is not.'],
  ])('are refused if only one is named', (env, sentence) => {
    expect(() => readServers(env)).toThrow(ServersRefused);
    expect(() => readServers(env)).toThrow(sentence);
  });

  test('are its own on the embedded side of a comparison, whatever else the environment says', () => {
    const env = withoutServers({ DATABASE_URL, TEMPORAL_ADDRESS, PATH: '/bin' });
    expect(readServers(env)).toBeNull();
    expect(env['PATH']).toBe('/bin');
  });
});
