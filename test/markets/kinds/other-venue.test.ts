import { expect, test } from '@jest/globals';
import type { PairedMarket, Pairs } from '../../../markets/pairs.js';
import { useSurfaces, wordsOf } from './surfaces.js';

const others: Readonly<Record<string, PairedMarket>> = {
  '910001': { venue: 'kalshi', eventId: 'kalshi:KXSIMCUT-31MAR', marketId: 'KXSIMCUT-31MAR-YES' },
  'kalshi:KXSIMCUT-31MAR': { venue: 'polymarket', eventId: '910001', marketId: '910101' },
  '910003': { venue: 'kalshi', eventId: 'kalshi:KXSIMCUT-31MAR', marketId: 'KXSIMCUT-31MAR-YES' },
};
const pairs: Pairs = { other: eventId => others[eventId] ?? null, count: 2 };

const { service, venues, reportPage, command, tools } = await useSurfaces({ pairs });

test('a report on a market with a pair shows what the other venue priced it at, on every surface', async () => {
  const caller = await service.newCaller(1_000);
  const report = await caller.run('910001');
  expect(report).toMatchObject({
    status: 'completed',
    other_venue: [
      {
        outcome: 'Yes',
        venue: 'kalshi',
        event_id: 'kalshi:KXSIMCUT-31MAR',
        slug: 'KXSIMCUT-31MAR-YES',
        url: expect.stringMatching(/^https:\/\/kalshi\.com\//),
        yes_price: 0.42,
        read_at: expect.any(String),
      },
    ],
  });
  const [{ url }] = report.other_venue;
  const page = await reportPage(report);
  expect(page).toContain(`href="${url}"`);
  expect(wordsOf(page)).toContain('|Kalshi priced the same question at 42 % at ');
  const inWords = /^- Kalshi priced the same question at 42 % at .* UTC: <https:/m;
  expect((await command(caller, 'report', 'show', String(report.id))).out).toMatch(inWords);
  const user = await tools(caller);
  const { data, text } = await user.call('get_report', { report_id: report.id });
  expect(text).toMatch(inWords);
  expect(data.other_venue).toEqual(report.other_venue);
});

test('a report on Kalshi shows the price of Polymarket', async () => {
  const caller = await service.newCaller(1_000);
  const report = await caller.run('kalshi:KXSIMCUT-31MAR');
  expect(report.other_venue).toEqual([
    expect.objectContaining({ venue: 'polymarket', event_id: '910001', yes_price: 0.42 }),
  ]);
});

test('a report without a pair, or whose other venue hangs, is complete and says nothing of another venue', async () => {
  const caller = await service.newCaller(1_000);
  venues.control.setFault('kalshi', 'hang', 600_000);
  for (const eventId of ['910002', '910003']) {
    const report = await caller.run(eventId);
    expect(report.status).toBe('completed');
    expect(report).not.toHaveProperty('other_venue');
    expect(wordsOf(await reportPage(report))).not.toContain('priced the same question');
  }
});
