import { createServer } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findEvent, type WantedEvent } from '../../cli/commands/find-event.js';
import { CouncilApi } from '../../cli/connections/council-api.js';
import { createOutput } from '../../cli/terminal/output.js';
import type { EventView } from '../../contract/events.js';
import type { Venue } from '../../council/event.js';
import { eventExample } from '../support/expect/examples.js';
import { closeServer, listen } from '../support/listen.js';

const event = (venue: Venue, event_id: string): EventView => ({
  ...eventExample,
  venue,
  event_id,
  title: `Fed in ${event_id}?`,
});
const onKalshi = event('kalshi', 'kalshi:KXFED-26DEC');
const onPolymarket = event('polymarket', '4711');

/** What the API knows, and what it was asked. */
const known: Record<string, EventView> = {
  'kalshi:KXFED-26DEC': onKalshi,
  'polymarket:fed-decision': onPolymarket,
  'fed-decision': onPolymarket,
};
let unavailable: Venue[] = [];
let asked: string[] = [];

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://api');
  asked.push(decodeURIComponent(url.pathname + url.search));
  const found = known[decodeURIComponent(url.pathname.replace('/api/events/', ''))];
  const venue = url.searchParams.get('venue');
  const events = [onPolymarket, onKalshi].filter(each => venue === null || each.venue === venue);
  const listing = {
    events: /fed/.test(url.searchParams.get('search') ?? '') ? events : [],
    page: 1,
    per_page: 5,
    venues: ['polymarket', 'kalshi'],
    unavailable,
  };
  const missing = { type: 'about:blank', title: 'No event', status: 404, detail: 'There is none.' };
  const isListing = url.pathname === '/api/events';
  const status = isListing || found !== undefined ? 200 : 404;
  response.writeHead(status, {
    'content-type': status === 200 ? 'application/json' : 'application/problem+json',
  });
  const problem = { ...missing, code: 'event_not_found', request_id: 'r' };
  response.end(JSON.stringify(isListing ? listing : (found ?? problem)));
});
const port = await listen(server);
afterAll(() => closeServer(server));

beforeEach(() => {
  unavailable = [];
  asked = [];
});

/** What was found, and the lines on standard error. */
async function find(words: string, venue?: WantedEvent['venue']) {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text.trim()), columns: 80 };
  const paint = { good: String, warning: String, bad: String, strong: String, faint: String };
  const output = createOutput({ asJson: false, paint, stdout: stream, stderr: stream, inPlace: false });
  const api = new CouncilApi(`http://127.0.0.1:${port}`, 'key');
  return { found: (await findEvent(api, output, { words, venue })).event_id, lines };
}

describe('the event of a command', () => {
  test.each([
    ['kalshi:KXFED-26DEC', 'kalshi:KXFED-26DEC'],
    ['https://kalshi.com/markets/kxfed/fed-meeting/kxfed-26dec', 'kalshi:KXFED-26DEC'],
    ['https://polymarket.com/event/fed-decision', '4711'],
    ['fed-decision', '4711'],
  ])('is found by its id, its address or its slug, without a search: %s', async (words, id) => {
    expect((await find(words)).found).toBe(id);
    expect(asked).toHaveLength(1);
  });

  test('is looked up and searched for at one venue alone, if one is chosen', async () => {
    expect((await find('KXFED-26DEC', 'kalshi')).found).toBe('kalshi:KXFED-26DEC');
    expect(asked).toEqual(['/api/events/kalshi:KXFED-26DEC']);
    const { found, lines } = await find('fed cut', 'kalshi');
    expect([found, lines]).toEqual(['kalshi:KXFED-26DEC', []]);
    expect(asked[1]).toContain('venue=kalshi');
  });

  test('of an address that names a series at Kalshi is searched for there', async () => {
    expect((await find('https://kalshi.com/markets/kxfed')).found).toBe('kalshi:KXFED-26DEC');
    expect(asked).toEqual(['/api/events/kalshi:KXFED', expect.stringMatching(/search=kxfed.*venue=kalshi/)]);
  });

  test('is never another than that of an address', async () => {
    const gone = find('https://kalshi.com/markets/kxfed/fed-meeting/kxfed-27jan');
    await expect(gone).rejects.toThrow('No open event matches');
    expect(asked).toHaveLength(1);
  });

  test('is refused if it is of another venue than the chosen one', async () => {
    for (const words of ['kalshi:KXFED-26DEC', 'https://kalshi.com/markets/kxfed/fed-meeting/kxfed-26dec']) {
      await expect(find(words, 'polymarket')).rejects.toThrow('is an event of kalshi, not of polymarket');
    }
  });

  test('is listed with its venue beside the others, and with the venues that could not be searched', async () => {
    unavailable = ['sample'];
    const { found, lines } = await find('fed cut');
    expect(found).toBe('4711');
    expect(lines).toEqual([
      'Could not be searched now: sample.',
      'also found: Fed in kalshi:KXFED-26DEC? (kalshi:KXFED-26DEC) on kalshi',
    ]);
    await expect(find('rain')).rejects.toThrow(
      'No open event matches “rain”. Could not be searched now: sample.',
    );
  });
});
