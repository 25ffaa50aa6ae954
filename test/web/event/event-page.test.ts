import { expect, test } from '@jest/globals';
import { MarketUnavailable } from '../../../markets/event-source.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { openDetails } from '../../support/browser/open-details.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';

const events = createSampleEventCopies();
let isDown = false;
const markets = {
  ...events,
  get: async (id: string) => {
    if (isDown) throw new MarketUnavailable('down');
    return events.get(id);
  },
};

const service = await usePageService({ worker: false, markets });

describeInBrowser('the event page', browser => {
  const open = (eventId: string, like = {}) => browser.visit(`${service.url}/events/${eventId}`, like);
  const document = (path: string) => fetch(service.url + path, { headers: { accept: 'text/html' } });

  test('can be read without JavaScript: prices, rules, and the price of a report', async () => {
    const { page } = await open('sample-ridge-derby-2031', { javaScriptEnabled: false });
    expect(await page.title()).toBe('Ridge Derby: Eastmoor United vs. Wexley Rovers · Council Report');
    const favourite = page.getByRole('row', { name: 'Eastmoor United' });
    expect(await favourite.locator('td').allInnerTexts()).toEqual([
      '46.5\u00a0¢',
      '46\u00a0¢',
      '47\u00a0¢',
      '$1.2 M',
    ]);
    await page.getByText('Resolution rules').click();
    await page.locator('.rules p').waitFor();
    await page.getByText(/\d+ credits per report/).waitFor();
    expect(await page.locator('main').innerText()).toContain('Running a report needs JavaScript');
  });

  test.each([
    ['sample-oil-ladder-2031', /Independent: 5 separate questions/],
    ['sample-harbour-cup-final-2031', /The price shown is for Northport Mariners/],
    ['sample-expo-host-2031', /Exclusive: only one of these \d+ outcomes can win/],
    ['sample-warm-superconductor-2032', /One question with two answers, Yes or No/],
  ])('%s says what its prices add up to', async (eventId, text) => {
    const visit = await open(eventId);
    await visit.page.getByRole('link', { name: 'Sign in to run' }).waitFor();
    expect(await visit.page.locator('caption').first().innerText()).toMatch(text);
    await openDetails(visit.page);
    await expectSoundPage(visit);
  });

  test('a closed event offers no run', async () => {
    const visit = await open('sample-sailing-trophy-2025');
    await visit.page.getByText('no new report can be run').waitFor();
    await visit.page.getByText('resolved: Yes').first().waitFor();
    await expectSoundPage(visit);
  });

  test('a closed event offers no run to a member, and leaves the console empty', async () => {
    const caller = await service.newCaller(1_000);
    const { page, console } = await visitAs(browser, caller, '/events/sample-sailing-trophy-2025');
    await page.getByText('no new report can be run').waitFor();
    expect(await page.locator('button[type=submit]').count()).toBe(0);
    await page.goto(`${service.url}/events/sample-bridge-opening-2025`);
    await page.getByText('no longer traded').waitFor();
    await page.waitForLoadState('networkidle');
    await page.getByRole('link', { name: 'Search the open events' }).waitFor();
    expect(console).toEqual([]);
  });

  test('an unknown event answers 404', async () => {
    expect((await document('/events/no-such-event')).status).toBe(404);
    const visit = await open('no-such-event');
    await visit.page.getByRole('heading', { name: 'Event not found' }).waitFor();
    await expectSoundPage(visit);
  });

  test('shows an error while the market is down, and recovers with "Try again"', async () => {
    isDown = true;
    try {
      expect((await document('/events/sample-fed-cut-2031')).status).toBe(503);
      const { page, troubles } = await open('sample-fed-cut-2031');
      await page.getByText('The market is unavailable at the moment.').waitFor();
      isDown = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Market prices' }).waitFor();
      expect(troubles).toEqual([]);
    } finally {
      isDown = false;
    }
  });

  test.each([
    ['https://example.com/e', 1],
    ['javascript:alert(1)', 0],
  ])('links the market only if its URL is https: %s', async (url, links) => {
    const { page } = await open(events.retell('sample-fed-cut-2031', event => ({ ...event, url })));
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator(`main a[href="${url}"]`, { hasText: 'View on the market' }).count()).toBe(
      links,
    );
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'View on the market' }).count()).toBe(links);
  });
});
