import { afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { askForBatch } from '../../support/ask-for-batch.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { untilFocused } from '../../support/browser/until-focused.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs, visitAsNew } from '../../support/browser/visit-as.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { manyEvents, manyIds } from '../../workflows/support/many-events.js';

const service = await usePageService({ markets: manyEvents(), stageDeadlinesMs: longDeadlines });

const batchesOf = async (caller: TestCaller) => (await caller.get('/api/batches')).body.batches;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const isGone = async (page: Page, name: string) => (await button(page, name).count()) === 0;

/** As the page writes a number, with grouped thousands. */
const numberPattern = (value: number) => new RegExp(`${String(value).replace(/\B(?=(\d{3})+$)/g, '\\s')} cr`);

async function askForPrice(page: Page, ids: readonly string[], budget: number): Promise<void> {
  await page.getByLabel('Ids of events').fill(ids.join('\n'));
  await page.getByLabel('Budget in credits').fill(String(budget));
  await button(page, 'Show the price').click();
}

/** Opens the page of a new batch. */
async function openBatch(
  browser: Parameters<typeof visitAs>[0],
  caller: TestCaller,
  body: object,
  query = '',
) {
  const { body: batch } = await askForBatch(caller, body);
  return visitAs(browser, caller, `/batches/${batch.batch_id}${query}`);
}

describeInBrowser('the pages of batches', browser => {
  afterEach(() => service.simulator.clearFaults());

  test('a batch is planned, bought, paused, given a higher budget, completed and downloaded', async () => {
    const release = service.simulator.hold({});
    const visit = await visitAsNew(browser, service, '/batches', 10_000);
    const { caller, page } = visit;
    await page.getByText('You have no batches.').waitFor();
    const fresh: number = (await caller.get('/api/credits/pricing')).body.fresh_credits;
    await askForPrice(page, manyIds(3), Math.floor(fresh * 1.5));
    await untilFocused(page, text => text === 'What it costs now');
    expect(await page.getByRole('row', { name: 'Fresh' }).innerText()).toMatch(/3\s+\d+/);
    await page.getByText('The budget is too small.').waitFor();
    await expectSoundPage(visit);
    expect(await batchesOf(caller)).toEqual([]);
    await button(page, /^Buy 3 reports · at most \d+ credits$/).click();
    await page.waitForURL(/\/batches\/[\da-f-]{36}$/);
    await page.getByText('0 of 3 rows done: 2 waiting and 1 running.').waitFor();
    await page.getByRole('progressbar', { name: 'Rows done' }).waitFor();
    await page.getByRole('meter', { name: 'Credits spent of the budget' }).waitFor();
    await button(page, 'Pause').click();
    await page.getByText('Reports that run now still end.').waitFor();
    await page.getByText('You paused it.').waitFor();
    await expectSoundPage(visit);
    await button(page, 'Resume').click();
    await page.getByText('The batch is running.').waitFor();
    release();
    await page.getByText('The next report does not fit into what is left of the budget.').waitFor();
    await page.getByLabel('Budget in credits').fill('9000');
    await button(page, 'Change the budget').click();
    await page.getByText('3 of 3 rows done: 3 completed.').waitFor();
    await page.getByText('The batch is completed.').waitFor();
    expect(await isGone(page, 'Pause')).toBe(true);
    const balance = await caller.balance();
    await page.locator('.account-menu', { hasText: numberPattern(balance) }).waitFor();
    expect(await page.getByRole('link', { name: /^Report \d+$/ }).count()).toBe(3);
    const download = page.waitForEvent('download');
    await button(page, 'Download CSV').click();
    expect((await download).suggestedFilename()).toMatch(/^batch-.*\.csv$/);
    await expectSoundPage(visit);
    await page.getByRole('link', { name: 'Batches' }).click();
    await page.getByRole('link', { name: 'Batch of 3 reports' }).waitFor();
    await page.getByText('3 of 3 rows done').waitFor();
  });

  test('two clicks in the same task create one batch', async () => {
    const { caller, page, troubles } = await visitAsNew(browser, service, '/batches', 1);
    await askForPrice(page, manyIds(1, 10), 1_000);
    await button(page, /^Buy 1 report/).waitFor();
    await page.getByText('1 report would wait').waitFor();
    await page.evaluate(`for (let press = 0; press < 2; press += 1)
      document.querySelector('.batch-plan button').click()`);
    await page.waitForURL(/\/batches\/[\da-f-]{36}$/);
    await page.getByText('Your credits do not pay for the next report.').waitFor();
    expect(await batchesOf(caller)).toHaveLength(1);
    expect(troubles).toEqual([]);
  });

  test('a file is read in the browser, its limits apply, and refused events are named', async () => {
    const visit = await visitAsNew(browser, service, '/batches');
    const { page } = visit;
    await page.getByLabel('Or a file').setInputFiles({
      name: 'events.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('title,event_id\n"Fed, cut",many-20\nDerby,many-21\n'),
    });
    await page.waitForFunction(`document.querySelector('textarea').value === 'many-20\\nmany-21'`);
    await page.getByText('Name and limits').click();
    await page.getByLabel('Most credits for one report').fill('1');
    await page.getByLabel('Budget in credits').fill('500');
    await button(page, 'Show the price').click();
    await page.getByText('2 events refused').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'many-21' }).innerText()).toContain(
      'it costs more than the limit for one report',
    );
    await page.getByText('There is nothing to buy.').waitFor();
    await expectSoundPage(visit);
    await page.getByLabel('Ids of events').fill('many-20\nMANY-20, many-21');
    expect(await page.getByText('What it costs now').count()).toBe(0);
    await button(page, 'Show the price').click();
    expect(await page.getByRole('alert').innerText()).toContain('Line 2 is not one id.');
    await page.getByLabel('Ids of events').fill('unheard:1');
    await button(page, 'Show the price').click();
    await page.getByText('unheard:1:').waitFor();
  });

  test('rows have pages and filters in the address, and a batch is cancelled after a confirmation', async () => {
    const caller = await service.newCaller(10_000);
    const visit = await openBatch(browser, caller, { events: manyIds(60, 100), budget_credits: 1 });
    const { page } = visit;
    await page.getByText('60 waiting').first().waitFor();
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(50);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL(/\?after=50#rows$/);
    await page.getByRole('link', { name: 'many-159' }).waitFor();
    await page.getByRole('link', { name: 'failed 0' }).click();
    await page.waitForURL(/\?state=failed#rows$/);
    await page.getByText('There are no such rows.').waitFor();
    await button(page, 'Cancel the batch').click();
    await page.getByRole('dialog', { name: 'Cancel this batch?' }).waitFor();
    await expectSoundPage(visit);
    await button(page, 'Cancel it').click();
    await page.getByText('The batch was cancelled.').waitFor();
    await untilFocused(page, text => text === 'Batch of 60 reports');
    expect(await isGone(page, 'Cancel the batch')).toBe(true);
  });

  test('a failed row says why, and is tried again', async () => {
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const caller = await service.newCaller(10_000);
    const visit = await openBatch(browser, caller, { events: manyIds(1, 30), name: 'Fed and weather' });
    const { page } = visit;
    await page.getByText('too few models gave a valid opinion').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Fed and weather' }).waitFor();
    await expectSoundPage(visit);
    service.simulator.clearFaults();
    await button(page, 'Try 1 failed or refused row again').click();
    await page.getByText('1 of 1 row done: 1 completed.').waitFor();
  });

  test('a visitor sees only a link to the sign-in, and an id that cannot exist is not found', async () => {
    for (const path of ['/batches', '/batches/7d0f3f0e-9a1c-4a6b-8f5e-2c4b1d9e6a30']) {
      const visit = await browser.visit(service.url + path);
      const link = visit.page.getByRole('main').getByRole('link', { name: 'Sign in' });
      expect(await link.getAttribute('href')).toBe(`/sign-in?to=${encodeURIComponent(path)}`);
      await expectSoundPage(visit);
    }
    const { page } = await visitAsNew(browser, service, '/batches/7d0f3f0e-9a1c-4a6b-8f5e-2c4b1d9e6a30');
    await page.getByRole('heading', { name: 'Batch not found' }).waitFor();
  });
});

test('the server renders the frame of both pages, without private data, and refuses other ids', async () => {
  const read = async (path: string) => {
    const response = await fetch(service.url + path, { headers: { accept: 'text/html' } });
    return [response.status, await response.text()] as const;
  };
  expect(await read('/batches')).toEqual([200, expect.stringContaining('<h1>Your batches</h1>')]);
  expect(await read('/batches/7d0f3f0e-9a1c-4a6b-8f5e-2c4b1d9e6a30')).toEqual([
    200,
    expect.stringContaining('<title>Batch · Council Report</title>'),
  ]);
  expect(await read('/batches/1')).toEqual([404, expect.stringMatching(/Batch(<!-- -->)? not found/)]);
});
