import { expect, test } from '@jest/globals';
import { otherVenueText } from '../../../contract/report-text/other-venue-text.js';
import { reportMarkdown } from '../../../contract/report-text/report-markdown.js';
import { type OtherVenuePriceView, reportShape } from '../../../contract/reports.js';
import { reportExample } from '../../support/expect/examples.js';

const price: OtherVenuePriceView = {
  outcome: 'Yes',
  venue: 'kalshi',
  event_id: 'kalshi:KXRAIN-31MAR01',
  slug: 'KXRAIN-31MAR01-T1',
  url: 'https://kalshi.com/markets/kxrain/x/kxrain-31mar01',
  yes_price: 0.43,
  read_at: '2031-03-01T14:02:11.000Z',
};

test('the price is said with its venue, in percent, and its time', () => {
  expect(otherVenueText(price)).toBe('Kalshi priced the same question at 43 % at 2031-03-01 14:02 UTC');
  expect(otherVenueText({ ...price, outcome: 'France', yes_price: 0.0305 })).toContain(
    'priced the same question (“France”) at 3.1 % at',
  );
});

test('a report in words has one line for each price, with the address of the venue', () => {
  const text = reportMarkdown({ ...reportExample, other_venue: [price] }, []);
  expect(text).toContain(
    `- Kalshi priced the same question at 43 % at 2031-03-01 14:02 UTC: <${price.url}>\n`,
  );
});

test('the name of an outcome is shown as text', () => {
  const hostile = { ...price, outcome: '[x](https://evil.example)\n# y', url: null };
  const text = reportMarkdown({ ...reportExample, other_venue: [hostile] }, []);
  expect(text).not.toContain('](https://evil');
  expect(text).not.toMatch(/^# y/m);
});

test('a report without a pair does not speak of another venue', () => {
  expect(reportExample).not.toHaveProperty('other_venue');
  expect(reportMarkdown(reportExample)).not.toContain('the same question');
});

test('the field is one of the contract', () => {
  expect(reportShape.parse({ ...reportExample, other_venue: [price] }).other_venue).toEqual([price]);
});
