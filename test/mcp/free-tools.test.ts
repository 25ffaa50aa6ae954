import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { footprint } from '../support/machine/footprint.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { ToolUser } from './support/clients.js';
import { type Proxy, startProxy } from './support/proxy.js';

let service: TestService;
let proxy: Proxy;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  proxy = await startProxy(service.url);
});
afterAll(async () => {
  await proxy.close();
  await service.stop();
});

describe('the free tools', () => {
  const calls = [
    ['search_events', {}],
    ['search_events', { search: 'fed', status: 'all', page: 2, per_page: 100 }],
    ['search_events', { search: 'x'.repeat(201) }],
    ['get_event', { event_id: 'sample-fed-cut-2031' }],
    ['get_event', { event_id: '../reports' }],
    ['get_event', { event_id: '' }],
    ['get_pricing', {}],
    ['get_pricing', { max_credits: 1_000 }],
    ['check_report', { event_id: 'sample-fed-cut-2031' }],
    ['check_report', { event_id: 'sample-fed-cut-2031', lane: 'byok' }],
    ['check_report', { event_id: 'sample-fed-cut-2031', lane: 'gift' }],
    ['check_report', { event_id: 'sample-bridge-opening-2025' }],
    ['check_report', { event_id: 'sample-fed-cut-2031', max_credits: 1_000, quoted_credits: 1_000 }],
    ['check_report', { event_id: '?x=/../../reports' }],
    ['get_report', { report_id: 1 }],
    ['get_report', { report_id: 1, wait_seconds: 1, sections: ['opinions'] }],
    ['get_report', { report_id: -1 }],
    ['get_report', { report_id: '1; buy' }],
    ['get_report', { report_id: 9_007_199_254_740_991 }],
    ['get_track_record', {}],
    [
      'get_track_record',
      {
        sections: [
          'calibration',
          'by_model',
          'by_action',
          'by_flag',
          'by_evidence',
          'first_report_per_event',
        ],
      },
    ],
    ['get_track_record', { sections: ['everything'] }],
  ] as const;

  test('never spend: balance, ledger and database are unchanged', async () => {
    const caller = await service.newCaller(1_000, { weeklyGrant: true });
    const user = await ToolUser.overHttp(service.url, { 'x-api-key': caller.key });
    const asSession = await ToolUser.overHttp(service.url, { authorization: `Bearer ${caller.session}` });
    const before = [
      await caller.get('/api/credits/balance'),
      await caller.ledger(),
      await footprint(service),
    ];
    const counts = { answered: 0, refused: 0 };
    for (const [name, args] of calls) {
      for (const each of [user, asSession]) {
        const { isError } = await each.call(name, args);
        counts[isError ? 'refused' : 'answered'] += 1;
      }
    }
    const after = [await caller.get('/api/credits/balance'), await caller.ledger(), await footprint(service)];
    expect(bodies(after)).toEqual(bodies(before));
    // Guards against a loop that tries nothing.
    expect(counts.answered).toBeGreaterThan(12);
    expect(counts.refused).toBeGreaterThan(12);
  });

  test('only ever send GET', async () => {
    const caller = await service.newCaller(1_000);
    const user = await ToolUser.inProcess(proxy.url, { 'x-api-key': caller.key });
    for (const [name, args] of calls) await user.call(name, args);
    expect(proxy.requests.length).toBeGreaterThan(10);
    expect(proxy.requests.filter(({ what }) => !what.startsWith('GET '))).toEqual([]);
  });
});

function bodies(parts: readonly any[]): unknown[] {
  return parts.map(part => part.body ?? part);
}
