import { beforeEach, describe, expect, test } from '@jest/globals';
import { MarketUnreadable } from '../../../markets/event-source.js';
import { createKalshiEventList } from '../../../markets/kalshi/list-kalshi-events.js';

let asked: URL[] = [];
let body: unknown;

beforeEach(() => {
  asked = [];
  body = { events: [], cursor: '' };
});

const list = createKalshiEventList({
  baseUrl: 'https://kalshi.example/trade-api/v2',
  timeoutMs: 1_000,
  fetch: async url => {
    asked.push(new URL(url instanceof Request ? url.url : url));
    return Response.json(body);
  },
});
const first = { cursor: null, changedSince: null };

/** Fields and values as in a settled market of July 2026, for which an index is not the reader. */
const market = {
  ticker: 'KXATPMATCH-26JUL12PRASAI-PRA',
  status: 'active',
  volume_fp: '483074.49',
  close_time: '2026-07-26T15:00:00Z',
  expected_expiration_time: '2026-07-12T18:00:00Z',
  occurrence_datetime: '2026-07-12T17:00:00Z',
};
const event = {
  event_ticker: 'KXATPMATCH-26JUL12PRASAI',
  series_ticker: 'KXATPMATCH',
  title: 'Prado Angelo vs Saitoh',
  sub_title: 'Jul 12',
  category: 'Sports',
  mutually_exclusive: true,
  markets: [market, { ...market, volume_fp: '0.02', occurrence_datetime: null }],
};
const read = async (changes: object) => {
  body = { events: [{ ...event, ...changes }], cursor: '' };
  return (await list.read(first)).events[0];
};

test('reads open events with their markets, 200 a page, from page to page', async () => {
  body = { events: [event], cursor: 'next' };
  expect((await list.read(first)).cursor).toBe('next');
  await list.read({ ...first, cursor: 'next' });
  expect(asked.map(({ pathname, search }) => pathname + search)).toEqual([
    '/trade-api/v2/events?limit=200&with_nested_markets=true&status=open',
    '/trade-api/v2/events?limit=200&with_nested_markets=true&status=open&cursor=next',
  ]);
});

test('reads what changed with any status, in seconds since 1970', async () => {
  await list.read({ cursor: null, changedSince: new Date('2026-07-12T17:00:00.900Z') });
  expect(asked[0]?.search).toBe('?limit=200&with_nested_markets=true&min_updated_ts=1783875600');
});

test.each([[''], [null], [undefined]])('ends at the cursor %j', async cursor => {
  body = { events: [], cursor };
  expect((await list.read(first)).cursor).toBeNull();
});

describe('an event', () => {
  test('has the contracts of all its markets, and the latest time that one of them waits for', async () => {
    expect(await read({})).toEqual({
      ticker: 'KXATPMATCH-26JUL12PRASAI',
      title: 'Prado Angelo vs Saitoh',
      subTitle: 'Jul 12',
      seriesTicker: 'KXATPMATCH',
      category: 'Sports',
      volumeContracts: '483074.51',
      closesAt: new Date('2026-07-12T18:00:00Z'),
      status: 'open',
    });
  });

  test('is closed if none of its markets trades, and left out before one of them does for good', async () => {
    expect(await read({ markets: [{ ...market, status: 'determined' }] })).toMatchObject({
      status: 'closed',
    });
    expect(await read({ markets: [{ ...market, status: 'initialized' }] })).toBeUndefined();
    expect(await read({ markets: [{ ...market, is_provisional: true }] })).toBeUndefined();
  });

  test('that cannot be read is counted, and hides no other', async () => {
    const counted = { ...event, markets: [{ ...market, volume_fp: 483_074 }] };
    body = { events: [counted, event, { ...event, event_ticker: '../x' }, null], cursor: '' };
    const page = await list.read(first);
    expect(page.unreadable).toBe(3);
    expect(page.events).toHaveLength(1);
  });
});

test('an answer without a list is a failure of the venue', async () => {
  body = { error: 'maintenance' };
  await expect(list.read(first)).rejects.toThrow(MarketUnreadable);
});
