import { expect, test } from '@jest/globals';
import { kalshiEventId, kalshiTicker, parseEventName } from '../../markets/event-name.js';

const both = ['polymarket', 'kalshi'] as const;

test.each([
  ['23784', { venue: 'polymarket', name: '23784' }],
  ['fed-decision-in-december', { venue: 'polymarket', name: 'fed-decision-in-december' }],
  ['polymarket:23784', { venue: 'polymarket', name: '23784' }],
  ['kalshi:KXFED-26DEC', { venue: 'kalshi', name: 'kalshi:KXFED-26DEC' }],
  ['KALSHI:kxfed-26dec', { venue: 'kalshi', name: 'kalshi:KXFED-26DEC' }],
  ['kalshi:', null],
  ['sample:sample-fed-cut-2031', null],
  ['nasdaq:X', null],
])('%s names an event of the venue that it says, or of none', (text, named) => {
  expect(parseEventName(text, both)).toEqual(named);
});

test('a name without a venue belongs to the samples where they are all there is, and to none where Kalshi is', () => {
  expect(parseEventName('sample-fed-cut-2031', ['sample'])?.venue).toBe('sample');
  expect(parseEventName('KXFED-26DEC', ['kalshi'])).toBeNull();
});

test('a ticker is found in the id of a Kalshi event only', () => {
  expect(kalshiTicker(kalshiEventId('KXFED-26DEC'))).toBe('KXFED-26DEC');
  expect(kalshiTicker('23784')).toBeNull();
});
