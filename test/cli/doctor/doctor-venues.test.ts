import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { checkVenues } from '../../../cli/doctor/check-venues.js';
import { createDoctorContext } from '../../../cli/doctor/doctor-context.js';
import { knownFields } from '../../../markets/probe/compare-fields.js';
import { sendJson, startFakeGamma } from '../../markets/polymarket/fake-gamma.js';
import { complete } from '../../markets/probe/complete.js';
import { council } from '../../support/service/council-command.js';
import { isolated } from './doctor-support.js';

const { event, market } = knownFields.polymarket;
let body: unknown;
const lists: Readonly<Record<string, unknown>> = {
  '/v2/resolutions': { data: [] },
  '/prices-history': { history: [] },
};
const gamma = await startFakeGamma(({ url }, response) => sendJson(response, lists[url.pathname] ?? body));
afterAll(() => gamma.close());

const env = {
  MARKETS: 'polymarket',
  POLYMARKET_GAMMA_URL: gamma.baseUrl,
  POLYMARKET_DATA_URL: gamma.baseUrl,
  POLYMARKET_CLOB_URL: gamma.baseUrl,
};
const check = async (more: Record<string, string> = {}) =>
  checkVenues(await createDoctorContext({ ...isolated, ...env, ...more }, Date.now));

beforeEach(() => {
  body = [{ ...complete(event), markets: [complete(market)] }];
});

describe('council doctor on the venues', () => {
  test('asks nobody while only the sample events are configured', async () => {
    const sent = gamma.requests.length;
    expect(await check({ MARKETS: 'sample' })).toMatchObject([{ state: 'ok' }]);
    expect(gamma.requests).toHaveLength(sent);
  });

  test('finds nothing if all fields are as they are parsed', async () => {
    expect(await check()).toMatchObject([
      {
        state: 'ok',
        detail:
          'polymarket: 1 events, 1 markets, 0 series, 0 resolutions and 0 prices compared; all fields are as they are read here',
      },
    ]);
  });

  test('warns of new fields, and reports a problem if a field that is read has changed', async () => {
    body = [{ ...complete(event), markets: [{ ...complete(market), added: 1 }] }];
    expect(await check()).toMatchObject([
      { state: 'warning', detail: expect.stringMatching(/1 fields are new$/) },
    ]);
    body = [{ ...complete(event), markets: [{ ...complete(market), closed: 'no' }] }];
    expect(await check()).toMatchObject([
      { state: 'problem', next: expect.stringContaining('venues check') },
    ]);
  });

  test('reports a venue that does not answer, or has no event', async () => {
    expect(await check({ POLYMARKET_GAMMA_URL: 'http://127.0.0.1:1' })).toMatchObject([
      { state: 'problem', detail: 'polymarket: Polymarket could not be reached.' },
    ]);
    body = [];
    expect(await check()).toMatchObject([{ state: 'problem' }]);
  });
});

describe('council venues check', () => {
  const run = (...words: string[]) => council(['venues', 'check', ...words], { ...isolated, ...env });

  test('prints what changed, and exits with 1 only if a field that is read has changed', async () => {
    body = [{ ...complete(event), markets: [{ ...complete(market), added: 'secret' }] }];
    const fresh = await run();
    expect(fresh).toMatchObject({ code: 0 });
    expect(fresh.out).toBe(
      'polymarket: 1 events, 1 markets, 0 series, 0 resolutions and 0 prices compared; 1 changes\n  market added: new, string; not read (in 1)\n',
    );
    body = [{ ...complete(event), closed: 'no', markets: [] }];
    const broken = await run('--json');
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.out)).toMatchObject({
      ok: false,
      venues: [{ venue: 'polymarket', changes: [{ object: 'event', kind: 'type', field: 'closed' }] }],
    });
  });
});
