import { expect, test } from '@jest/globals';
import { parseEventAddress } from '../../cli/commands/event-address.js';

test.each([
  [
    'https://kalshi.com/markets/kxfed/fed-meeting/kxfed-26dec',
    { venue: 'kalshi', eventId: 'kalshi:KXFED-26DEC', search: null },
  ],
  [
    'kalshi.com/markets/kxfed/fed-meeting/kxfed-26dec?op=1#yes',
    { venue: 'kalshi', eventId: 'kalshi:KXFED-26DEC', search: null },
  ],
  [
    'https://polymarket.com/event/fed-decision-in-december/25-bps?tid=1',
    { venue: 'polymarket', eventId: 'polymarket:fed-decision-in-december', search: null },
  ],
  [
    'https://www.polymarket.com/de/event/fed-decision-in-december',
    { venue: 'polymarket', eventId: 'polymarket:fed-decision-in-december', search: null },
  ],
  [
    'https://polymarket.com/sports/nba/nba-nop-lal-2026-03-03',
    { venue: 'polymarket', eventId: 'polymarket:nba-nop-lal-2026-03-03', search: null },
  ],
])('the address of an event names it and no other: %s', (text, address) => {
  expect(parseEventAddress(text)).toEqual(address);
});

test('an address of a series at Kalshi is looked up as an event, and else means its events', () => {
  expect(parseEventAddress('https://kalshi.com/markets/kxfed')).toEqual({
    venue: 'kalshi',
    eventId: 'kalshi:KXFED',
    search: 'kxfed',
  });
  expect(parseEventAddress('https://kalshi.com/markets/kxfed/fed-meeting')?.search).toBe('kxfed');
});

test.each([
  'fed cut',
  'sample-fed-cut-2031',
  'kalshi:KXFED-26DEC',
  'https://kalshi.com/',
  'https://polymarket.com/market/fed-25-bps',
  'https://kalshi.com.example.org/markets/kxfed/fed-meeting/kxfed-26dec',
])('is read from nothing else: %s', text => {
  expect(parseEventAddress(text)).toBeNull();
});
