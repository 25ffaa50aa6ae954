import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { loadPageRenderer } from '../../api/pages/page-renderer.js';
import { describeInBrowser } from '../support/browser/describe-in-browser.js';
import { testPassword } from '../support/service/test-caller.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { until } from '../support/until.js';

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

describeInBrowser('keyboard navigation', browser => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ pages: await loadPageRenderer() });
  });
  afterAll(() => service.stop());

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
    await tabTo(page, /^Deliberation$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/#deliberation$/);
    await until('the deliberation is on the screen', () => isOnScreen(page, '#deliberation'));
    await tabTo(page, /^Critiques received/);
    await page.keyboard.press('Enter');
    await page.locator('.critiques[open]').waitFor();
    await tabTo(page, /^Method, models and record$/);
    await page.keyboard.press('Enter');
    await page.locator('.provenance').filter({ hasText: 'Method' }).waitFor();
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

/** Waits, because the address changes before the page is rendered, and the title of an event loads later. */
function isTitled(page: Page, title: string): Promise<unknown> {
  return until(`the title "${title}"`, async () => (await page.title()) === title);
}
