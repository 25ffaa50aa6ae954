import { expect, test } from '@jest/globals';
import { MarketUnavailable } from '../../../markets/event-source.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { usePageService } from '../../support/browser/use-page-service.js';

let isDown = false;
const samples = createSampleEventSource();
const markets = {
  ...samples,
  readPrices: async () => {
    if (isDown) throw new MarketUnavailable('down');
    return [
      { at: '2031-02-01T00:00:00.000Z', yesPrice: 0.36 },
      { at: '2031-02-15T00:00:00.000Z', yesPrice: 0.42 },
    ];
  },
};

const service = await usePageService({ worker: false, markets });

const html = async (path: string) => {
  const answer = await fetch(service.url + path, { headers: { accept: 'text/html' } });
  expect(answer.status).toBe(200);
  return (await answer.text()).replaceAll('\u00a0', ' ');
};

test('the page of an event is rendered with its past prices as a drawing, in words and as a table', async () => {
  const page = await html('/events/sample-fed-cut-2031');
  expect(page).toContain('role="img"');
  expect(page).toContain('From 36 % on 1 Feb 2031 to 42 % on 15 Feb 2031; lowest 36 %, highest 42 %.');
  expect(page).toContain('Prices as a table');
});

test('the page of an event is whole without past prices, while they cannot be read', async () => {
  isDown = true;
  const page = await html('/events/sample-oil-ladder-2031');
  isDown = false;
  expect(page).toContain('Market prices');
  expect(page).not.toContain('Past prices');
});

test('the list of events is rendered as the address chooses it', async () => {
  const page = await html('/?venue=sample&category=economy&sort=closing');
  expect(page).toMatch(/<option value="economy" selected/);
  expect(page).toMatch(/<option value="closing" selected/);
  expect(page).toContain('/events/sample-fed-cut-2031');
  expect(page).not.toContain('/events/sample-ridge-derby-2031');
});
