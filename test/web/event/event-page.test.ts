import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { MarketUnavailable } from '../../../markets/event-source.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { openDetails } from '../../support/browser/open-details.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

const events = createSampleEventCopies();
let isDown = false;
const markets = {
  ...events,
  get: async (id: string) => {
    if (isDown) throw new MarketUnavailable('down');
    return events.get(id);
  },
};

describeInBrowser('the event page', browser => {
  let service: TestService;
  const open = (eventId: string, like = {}) => browser.visit(`${service.url}/events/${eventId}`, like);
  const document = (path: string) => fetch(service.url + path, { headers: { accept: 'text/html' } });

  beforeAll(async () => {
    service = await startTestService({ worker: false, markets, pages: await loadPageRenderer() });
  });
  afterAll(() => service.stop());

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
    ['sample-ridge-derby-2031', /Exclusive: exactly one of these 3 outcomes wins/],
    ['sample-oil-ladder-2031', /Independent: 5 separate questions/],
    ['sample-fed-cut-2031', /One question with two answers, Yes or No/],
    ['sample-harbour-cup-final-2031', /The price shown is for Northport Mariners/],
    ['sample-expo-host-2031', /Exclusive: exactly one of these \d+ outcomes wins/],
    ['sample-warm-superconductor-2032', /One question with two answers/],
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
    const member = await visitAs(
      browser,
      await service.newCaller(1_000),
      '/events/sample-sailing-trophy-2025',
    );
    await member.page.getByText('no new report can be run').waitFor();
    expect(await member.page.locator('button[type=submit]').count()).toBe(0);
  });

  test('a closed event leaves the console of a member empty', async () => {
    const visit = await visitAs(
      browser,
      await service.newCaller(1_000),
      '/events/sample-bridge-opening-2025',
    );
    await visit.page.getByText('no longer traded').waitFor();
    await visit.page.waitForLoadState('networkidle');
    await visit.page.getByRole('link', { name: 'Search the open events' }).waitFor();
    expect(visit.console).toEqual([]);
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

  test('links the market only if its URL is https', async () => {
    const url = 'javascript:alert(1)';
    const { page } = await open(events.retell('sample-fed-cut-2031', event => ({ ...event, url })));
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'View on the market' }).count()).toBe(0);
    const good = await open(
      events.retell('sample-fed-cut-2031', event => ({ ...event, url: 'https://example.com/e' })),
    );
    expect(await good.page.getByRole('link', { name: 'View on the market' }).getAttribute('href')).toBe(
      'https://example.com/e',
    );
  });
});
