import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { publishSample } from '../../db/reports/reports.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import { askForBatch } from '../support/ask-for-batch.js';
import { describeInBrowser } from '../support/browser/describe-in-browser.js';
import { usePageService } from '../support/browser/use-page-service.js';
import { type TestCaller, testPassword } from '../support/service/test-caller.js';
import { until } from '../support/until.js';

const service = await usePageService();

describeInBrowser('every page', browser => {
  let caller: TestCaller;
  let addresses: Record<string, string>;

  beforeAll(async () => {
    caller = await service.newCaller(1_000);
    const { id: reportId } = await caller.run('sample-bitcoin-high-2031');
    const sample = { accountId: caller.accountId, reportId, now: new Date() };
    await publishSample(service.database.db, sample);
    const batch = await askForBatch(caller, { events: ['sample-bitcoin-high-2031'] });
    addresses = {
      '/': '/',
      '/events/:eventId': '/events/sample-fed-cut-2031',
      '/sample': '/sample',
      '/reports': '/reports',
      '/reports/:id': `/reports/${reportId}`,
      '/batches': '/batches',
      '/batches/:id': `/batches/${batch.body.batch_id}`,
      '/track-record': '/track-record',
      '/account': '/account',
      '/keys': '/keys',
      '/webhooks': '/webhooks',
      '/sign-in': '/sign-in',
      '/forgotten-password': '/forgotten-password',
      '/new-password': '/new-password',
      '/email-verified': '/email-verified',
      '*': '/nowhere',
    };
  });

  /** Opens every page, and waits until it requests nothing more. One at a time, for a machine that is busy. */
  async function visitAll(visitor: { readonly cookie?: string }, menu: string) {
    const { page, console } = await browser.visit(`${service.url}/sign-in`, visitor);
    const visits: { path: string; messages: string[]; loaded: string[] }[] = [];
    for (const path of Object.values(addresses)) {
      await page.goto(service.url + path);
      // Only a script adds it, to the menu of the header.
      await page.locator('.account-menu').getByRole('link', { name: menu }).waitFor();
      await page.waitForLoadState('networkidle');
      const loaded = await page.evaluate<string[]>(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
      );
      visits.push({ path, messages: console.splice(0), loaded });
    }
    return visits;
  }

  test('is visited here, and built to a script of its own', async () => {
    const { findPage } = await compiledPages();
    const found = Object.entries(addresses).map(([pattern, path]) => ({
      pattern,
      page: findPage(path).page,
    }));
    expect(found.map(({ page }) => page.path)).toEqual(found.map(({ pattern }) => pattern));
    const manifest: Record<string, { isDynamicEntry?: true }> = JSON.parse(
      await readFile(join(projectFiles.pageFiles, 'manifest.json'), 'utf8'),
    );
    const built = Object.keys(manifest).filter(source => manifest[source]?.isDynamicEntry);
    expect(found.map(({ page }) => page.code.file).toSorted()).toEqual(built.toSorted());
  });

  test('is found by the address as it is written, with decoded parameters', async () => {
    const { findPage } = await compiledPages();
    expect(findPage('/events/a%3Ab')).toMatchObject({
      page: { path: '/events/:eventId' },
      parameters: { eventId: 'a:b' },
    });
    expect(findPage('/events/a%2Fb').parameters).toEqual({ eventId: 'a/b' });
    expect(findPage('/events/%E0').parameters).toEqual({ eventId: '%E0' });
    expect(findPage('/Track-Record/').page.path).toBe('/track-record');
    expect(findPage('/events/a/b').page.path).toBe('*');
  });

  test('is loaded as a document if its script is gone after a deployment', async () => {
    const { page } = await browser.visit(`${service.url}/sign-in`);
    await page.route('**/assets/track-record-*.js', route => route.fulfill({ status: 404 }), { times: 1 });
    const reloaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Track record' }).first().click();
    await reloaded;
    expect(page.url()).toBe(`${service.url}/track-record`);
    await page.getByRole('heading', { name: 'Track record' }).waitFor();
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByRole('searchbox').waitFor();
  });

  test('shows a message, and its frame, if an answer has a shape that it does not know', async () => {
    const { page } = await browser.visit(`${service.url}/sign-in`, { cookie: caller.cookie });
    await page.route('**/api/reports?*', route => route.fulfill({ json: { reports: 'none' } }));
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByText('Something unexpected happened on this page.').waitFor();
    await page.getByRole('link', { name: 'Track record' }).first().click();
    await page.getByRole('heading', { name: 'Track record' }).waitFor();
  });

  test.each(['signed out', 'signed in'])('names its scripts and leaves the console empty: %s', async who => {
    const visits =
      who === 'signed in'
        ? await visitAll({ cookie: caller.cookie }, 'Account')
        : await visitAll({}, 'Sign in');
    const messages = visits.flatMap(visit => visit.messages.map(message => `${visit.path}: ${message}`));
    // Only the document that does not exist answers 404, as it must.
    expect(messages).toEqual([expect.stringMatching(/^\/nowhere: .* 404 .*\/nowhere\)$/)]);
    for (const { path, loaded } of visits) {
      const html = await (await fetch(service.url + path, { headers: { accept: 'text/html' } })).text();
      // A script that the document does not name loads a round trip late. Source maps are for developers.
      const unnamed = loaded.filter(each => /\.(js|map)$/.test(each) && !html.includes(`"${each}"`));
      expect([path, ...unnamed]).toEqual([path]);
      expect(loaded).toContainEqual(expect.stringMatching(/\.js$/));
    }
  });
});

describeInBrowser('keyboard navigation', browser => {
  test('a report can be found, bought and read with the keyboard alone', async () => {
    const caller = await service.newCaller(1_000);
    const { page, troubles } = await browser.visit(service.url);
    await tabTo(page, /^Ridge Derby/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/events\//);
    await page.getByRole('link', { name: 'Sign in to run' }).waitFor();
    await tabTo(page, /^Sign in to run/);
    await page.keyboard.press('Enter');
    await page.getByLabel('E-mail address').waitFor();
    await tabTo(page, /^email$/);
    await page.keyboard.type(caller.email);
    await tabTo(page, /^password$/);
    await page.keyboard.type(testPassword);
    await page.keyboard.press('Enter');
    await page.locator('.purchase-form').waitFor();
    await tabTo(page, /^lane$/);
    await tabTo(page, /^Run a report · \d+ credits/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/reports\/\d+$/);
    await page.locator('#summary').waitFor();
    await tabTo(page, /^Members$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/#deliberation$/);
    await until('the deliberation is on the screen', () => isOnScreen(page, '#deliberation'));
    await tabTo(page, /^Critiques received/);
    await page.keyboard.press('Enter');
    await page.locator('.critiques[open]').waitFor();
    await tabTo(page, /^Thresholds$/);
    await page.keyboard.press('Enter');
    await page.getByText('Minimum probability in the pool').waitFor();
    await page.keyboard.press('End');
    await until('the end is on the screen', () => isOnScreen(page, '.disclaimer'));
    expect(troubles).toEqual([]);
  });

  test('following a link moves the focus to the new page and sets its title', async () => {
    const { page } = await browser.visit(service.url);
    await page.getByRole('link', { name: 'Will the Federal Reserve cut rates' }).click();
    await until('the focus is on the new page', () =>
      page.evaluate<boolean>("document.activeElement.id === 'content'"),
    );
    await isTitled(page, 'Will the Federal Reserve cut rates in March 2031? · Council Report');
    await page.goBack();
    await isTitled(page, 'Council Report: four AI models on one question');
    expect(page.url()).toBe(`${service.url}/`);
  });
});

/** What the page's own code says about the pages, as compiled for the server. */
function compiledPages(): Promise<{
  readonly findPage: (path: string) => {
    readonly page: { readonly path: string; readonly code: { readonly file: string } };
    readonly parameters: object;
  };
}> {
  const file = join(dirname(projectFiles.pageRenderer), 'app', 'pages.js');
  return import(pathToFileURL(file).href);
}

const pressesMax = 80;
const focusedText = (page: Page) =>
  page.evaluate<string>("document.activeElement?.innerText || document.activeElement?.name || ''");

/** Presses Tab until the wanted element has the focus, and expects a visible outline. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  for (let press = 0; press < pressesMax; press += 1) {
    await page.keyboard.press('Tab');
    if (!wanted.test(await focusedText(page))) continue;
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    expect([wanted, outline]).toEqual([wanted, 'solid']);
    return;
  }
  throw new Error(`${pressesMax} presses of Tab do not reach ${String(wanted)}`);
}

const isOnScreen = (page: Page, selector: string) =>
  page.evaluate<boolean>(
    `(() => { const { top } = document.querySelector('${selector}').getBoundingClientRect();
      return top >= 0 && top < innerHeight; })()`,
  );

/** Waits, because the address changes before the page is rendered, and the title of an event loads later. */
function isTitled(page: Page, title: string): Promise<unknown> {
  return until(`the title "${title}"`, async () => (await page.title()) === title);
}
