import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Problem } from '../../../api/http/problem.js';
import { houseLimitReached } from '../../../purchase/purchase.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { signIn, visitAs } from '../../support/browser/visit-as.js';
import { holdRuns } from '../../support/hold-runs.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import { setPrice } from '../../support/service/set-price.js';
import { subscribe } from '../../support/service/subscribe.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const events = createSampleEventCopies();
const derby = 'sample-ridge-derby-2031';
const newEvent = () => events.retell(derby);
const runButton = (page: Page) => page.locator('.purchase-form button[type=submit]');
const numberOn = async (page: Page) => Number(/· (\d+) credits/.exec(await runButton(page).innerText())?.[1]);
const untilBought = (page: Page) => page.waitForURL(/\/reports\/\d+$/);
const press = async (page: Page) => {
  await runButton(page).click();
  await untilBought(page);
};
const charges = async (caller: TestCaller) =>
  (await caller.ledger()).filter(({ kind }) => kind === 'charge').map(entry => -entry.amount_credits);

const service = await usePageService({ markets: events, stageDeadlinesMs: longDeadlines });

describeInBrowser('buying a report', browser => {
  test('that is cached costs half, is available at once, and then costs nothing, also when its event has closed', async () => {
    let status: 'open' | 'closed' = 'open';
    const eventId = events.retell(derby, event => ({ ...event, status }));
    const first = await service.newCaller(1_000);
    const { report_id } = (await first.buy(eventId)).body;
    await first.untilEnded(report_id);
    const caller = await service.newCaller(1_000);
    const visit = await visitAs(browser, caller, `/events/${eventId}`);
    const { page } = visit;
    await page.getByText('Half price').waitFor();
    await expectSoundPage(visit);
    const price = await numberOn(page);
    expect(price).toBe((await caller.get('/api/credits/pricing')).body.cached_credits);
    await runButton(page).click();
    await page.getByRole('heading', { name: 'Summary' }).waitFor();
    expect(await charges(caller)).toEqual([price]);
    for (status of ['open', 'closed'] as const) {
      await page.goto(`${service.url}/events/${eventId}`);
      await page.getByRole('link', { name: 'Read your report' }).click();
      await page.waitForURL(`${service.url}/reports/${report_id}`);
    }
    expect(await charges(caller)).toEqual([price]);
  });

  describe('that is fresh', () => {
    holdRuns(service);

    const openEvent = (caller: TestCaller, eventId = newEvent()) =>
      visitAs(browser, caller, `/events/${eventId}`);

    async function arrive(...member: Parameters<typeof service.newCaller>) {
      const caller = await service.newCaller(...member);
      return { caller, ...(await openEvent(caller)) };
    }

    async function memberWithKeys(): Promise<TestCaller> {
      const caller = await service.newCaller(1_000);
      await caller.put('/api/provider-keys/openrouter', { key: 'sk-or-own-key' }, { as: 'session' });
      return caller;
    }

    test('the price on the button is the price that is charged', async () => {
      const visit = await arrive(1_000);
      const { caller, page } = visit;
      const price = await numberOn(page);
      expect(price).toBe((await caller.get('/api/credits/pricing')).body.fresh_credits);
      expect(await page.locator('.lanes').innerText()).toMatch(
        /From your purchased credits\. You have 1.000 credits/,
      );
      await expectSoundPage(visit);
      await press(page);
      expect(await charges(caller)).toEqual([price]);
      await page.getByText(`${1_000 - price} cr`).waitFor();
    });

    test('a double click charges once, and so do two clicks in the same task', async () => {
      for (const pressTwice of [
        (page: Page) => runButton(page).dblclick(),
        (page: Page) =>
          page.evaluate(`for (let press = 0; press < 2; press += 1)
          document.querySelector('.purchase-form button[type=submit]').click()`),
      ]) {
        const { caller, page, troubles } = await arrive(1_000);
        const price = await numberOn(page);
        await pressTwice(page);
        await untilBought(page);
        expect(await charges(caller)).toEqual([price]);
        expect(troubles).toEqual([]);
      }
    });

    test('pressing again after a lost response charges nothing more', async () => {
      const { caller, page } = await arrive(1_000);
      const keys: (string | undefined)[] = [];
      page.on('request', sent => {
        if (sent.method() === 'POST' && sent.url().endsWith('/api/reports'))
          keys.push(sent.headers()['idempotency-key']);
      });
      await page.route(
        '**/api/reports',
        async route => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
      await runButton(page).click();
      expect(await page.getByRole('alert').innerText()).toContain('never charged twice');
      await press(page);
      expect(await charges(caller)).toHaveLength(1);
      expect(keys).toHaveLength(2);
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(keys[1]).toBe(keys[0]);
    });

    test('a changed price is shown, and nothing is charged until the button is pressed again', async () => {
      const visit = await arrive(2_000);
      const { caller, page } = visit;
      const before = await numberOn(page);
      await setPrice(service.database.db, before * 2);
      try {
        await runButton(page).click();
        await page.getByText('The price has changed.').waitFor();
        expect(await numberOn(page)).toBe(before * 2);
        expect(await charges(caller)).toEqual([]);
        await expectSoundPage(visit);
        await press(page);
        expect(await charges(caller)).toEqual([before * 2]);
      } finally {
        await setPrice(service.database.db, before);
      }
    });

    test('the weekly free report pays for the first report', async () => {
      const { caller, page } = await arrive(0, { weeklyGrant: true });
      expect(await runButton(page).innerText()).toMatch(/Run a report · \d+ credits of your weekly grant/);
      await press(page);
      expect((await caller.ledger())[0]).toMatchObject({ kind: 'charge', pool: 'weekly_grant' });
    });

    test('with too few credits, the page says how many are missing and links to the packs', async () => {
      const caller = await service.newCaller(10);
      const { fresh_credits } = (await caller.get('/api/credits/pricing')).body;
      const visit = await openEvent(caller);
      const text = await visit.page.getByText(/^You are \d+ credits short\./).innerText();
      expect(Number(/\d+/.exec(text)?.[0]) + 10).toBe(fresh_credits);
      expect(await runButton(visit.page).count()).toBe(0);
      await expectSoundPage(visit);
      await visit.page.getByRole('link', { name: 'Buy credits' }).click();
      await visit.page.waitForURL(/\/account#buy$/);
    });

    test('a lane that is not set up says what is missing and links to its setup', async () => {
      const { page } = await arrive(1_000);
      const lanes = page.getByRole('group', { name: 'Pay with' });
      expect(await lanes.getByRole('radio', { name: 'Subscription' }).isDisabled()).toBe(true);
      expect(await lanes.getByRole('link', { name: 'Subscribe' }).getAttribute('href')).toBe(
        '/account#subscription',
      );
      expect(await lanes.innerText()).toContain('Missing: OpenAI, Anthropic, Google, xAI.');
      await lanes.getByRole('link', { name: 'Add your keys' }).click();
      await page.waitForURL(/\/account#provider-keys$/);
      await page.getByRole('heading', { name: 'Your own provider keys' }).waitFor();
    });

    test('a subscriber sees dollars, and spends no credits', async () => {
      const caller = await service.newCaller(0);
      await subscribe(service.database.db, caller.accountId);
      const { page } = await openEvent(caller);
      expect(await runButton(page).innerText()).toBe('Run a report · $3.00');
      await page.getByText('If it fails, nothing is billed.').waitFor();
      await press(page);
      expect(await caller.ledger()).toEqual([]);
    });

    test('a member can buy on own keys when the service starts no more reports at its own cost', async () => {
      const caller = await memberWithKeys();
      const visit = await visitAs(browser, caller, '/');
      const { page } = visit;
      await page.route('**/api/reports/check/*?lane=credits', route =>
        route.fulfill({
          status: 503,
          headers: { 'retry-after': '10800' },
          contentType: 'application/problem+json',
          body: JSON.stringify(Problem.of(houseLimitReached(10_800)).toDocument('a-request')),
        }),
      );
      await page.goto(`${service.url}/events/${newEvent()}`);
      const lanes = page.getByRole('group', { name: 'Pay with' });
      await lanes.getByText('No more fresh reports today. You can run one again in 3 hours.').waitFor();
      expect(await page.locator('#lane-credits').isDisabled()).toBe(true);
      await press(page);
      expect((await caller.get('/api/reports')).body.reports).toMatchObject([{ lane: 'byok' }]);
    });

    test('own keys cost what the button says; deleted elsewhere meanwhile, they close their lane, and nothing is charged', async () => {
      const caller = await memberWithKeys();
      const { page } = await openEvent(caller);
      const lane = page.getByRole('radio', { name: 'Your own provider keys' });
      await lane.check();
      expect(await numberOn(page)).toBe(50);
      await press(page);
      expect(await charges(caller)).toEqual([50]);
      await page.goto(`${service.url}/events/${newEvent()}`);
      await lane.check();
      await caller.delete('/api/provider-keys/openrouter', { as: 'session' });
      await runButton(page).click();
      await page.getByRole('link', { name: 'See what is missing in your account' }).waitFor();
      await until('the lane is closed', () => lane.isDisabled());
      expect(await charges(caller)).toEqual([50]);
    });

    test('the sixth run in an hour is rejected with the time of the next, and charges nothing', async () => {
      const caller = await service.newCaller(2_000);
      for (let run = 0; run < 5; run += 1) expect((await caller.buy(newEvent())).status).toBe(202);
      const visit = await openEvent(caller);
      await runButton(visit.page).click();
      const notice = visit.page.getByText('Too many runs this hour.').locator('..');
      expect(await notice.innerText()).toMatch(/You can run again in (59|60) minutes\. Nothing was charged/);
      expect(await charges(caller)).toHaveLength(5);
      await expectSoundPage(visit);
    });

    test('an event that closes while its page is open is not charged for', async () => {
      let status: 'open' | 'closed' = 'open';
      const eventId = events.retell(derby, event => ({ ...event, status }));
      const caller = await service.newCaller(1_000);
      const { page } = await openEvent(caller, eventId);
      await runButton(page).waitFor();
      status = 'closed';
      await runButton(page).click();
      await page.getByText('Event closed.').waitFor();
      expect(await charges(caller)).toEqual([]);
    });

    test('a visitor sees the price, and returns to the event after signing in', async () => {
      const eventId = newEvent();
      const caller = await service.newCaller(1_000);
      const visit = await browser.visit(`${service.url}/events/${eventId}`);
      const { page } = visit;
      const { fresh_credits: fresh } = (await caller.get('/api/credits/pricing')).body;
      await page.getByText(`${fresh} credits per report`).waitFor();
      await expectSoundPage(visit);
      await page.getByRole('link', { name: 'Sign in to run a report' }).click();
      await signIn(visit, caller.email);
      await page.waitForURL(`${service.url}/events/${eventId}`);
      await runButton(page).waitFor();
    });
  });
});
