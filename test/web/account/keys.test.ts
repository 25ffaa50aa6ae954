import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { untilFocused } from '../../support/browser/until-focused.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs, visitAsNew } from '../../support/browser/visit-as.js';
import { heapContains } from '../../support/machine/heap-contains.js';
import type { TestCaller } from '../../support/service/test-caller.js';

/** Everything that the page and the browser store. */
const traces = (page: Page): Promise<string> =>
  page.evaluate<string>(`JSON.stringify([
    document.documentElement.outerHTML, location.href, history.state, {...localStorage}, {...sessionStorage},
    [...document.querySelectorAll('input')].map(field => field.value), document.cookie,
  ])`);

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByLabel('Name of the new key').fill(name);
  await page.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('region', { name: `Your new key “${name}”` });
  return shown.locator('code').first().innerText();
}

const statusWith = async ({ url }: TestCaller, key: string) =>
  (await fetch(`${url}/api/credits/balance`, { headers: { 'x-api-key': key } })).status;

const service = await usePageService({ worker: false });

describeInBrowser('the API keys page', browser => {
  const arrive = (credits = 0) => visitAsNew(browser, service, '/keys', credits);

  test('a new key works, is shown once, and is nowhere on the page afterwards', async () => {
    const visit = await arrive();
    const { caller, page } = visit;
    const key = await createKey(page, 'laptop');
    expect(await statusWith(caller, key)).toBe(200);
    expect(await page.locator('.new-key').innerText()).toContain('cannot be shown again');
    expect(page.url()).toBe(`${service.url}/keys`);
    await expectSoundPage(visit);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByLabel('Name of the new key').waitFor();
    expect(await traces(page)).not.toContain(key);
    await page.reload();
    await page.getByRole('rowheader', { name: 'laptop' }).waitFor();
    expect(await traces(page)).not.toContain(key);
  });

  test('a key is created with limits, and the list shows them with its last use and network', async () => {
    const { caller, page } = await arrive();
    await page.getByLabel('It may').selectOption('read');
    await page.getByLabel('Works until').fill('2030-03-05');
    const key = await createKey(page, 'dashboard');
    expect(await statusWith(caller, key)).toBe(200);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('only reads, works until 6 Mar 2030, 00:00 UTC').waitFor();
    await page.reload();
    await page.getByText('from 127.0.0.0/24').waitFor();
  });

  test('a new key is gone, from memory as well, after client-side navigation and after leaving the site', async () => {
    const { page, troubles } = await arrive();
    const first = await createKey(page, 'first');
    expect(await heapContains(page, first)).toBe(true);
    await page.getByRole('link', { name: 'Track record' }).click();
    await page.getByRole('heading', { level: 1, name: 'Track record' }).waitFor();
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByLabel('Search events').waitFor();
    expect(await heapContains(page, first)).toBe(false);
    await page.goBack();
    await page.goBack();
    await page.getByRole('rowheader', { name: 'first' }).waitFor();
    expect(await traces(page)).not.toContain(first);
    const second = await createKey(page, 'second');
    // A browser that keeps the page for the way back sends `pagehide` and then freezes the page.
    const kept = await page.evaluate<string>(
      `dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })), document.documentElement.outerHTML`,
    );
    expect(kept).not.toContain(second);
    await page.goto(`${service.url}/healthz`);
    await page.goBack();
    await page.getByRole('rowheader', { name: 'second' }).waitFor();
    expect(await traces(page)).not.toContain(second);
    expect(troubles).toEqual([]);
  });

  test('the copy button copies the key and confirms it', async () => {
    const { page, context } = await arrive();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const key = await createKey(page, 'copied');
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(key);
    await page.getByRole('button', { name: 'Copy the export line' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
      `export COUNCIL_API_KEY=${key}`,
    );
  });

  test('without access to the clipboard, the copy button selects the key', async () => {
    const { page, context } = await arrive();
    await context.addInitScript(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
    await page.reload();
    const key = await createKey(page, 'selected');
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByText('Selected. Press').waitFor();
    expect(await page.evaluate<string>('getSelection().toString()')).toBe(key);
  });

  test('a key can be revoked with the keyboard, is rejected at once, and the focus is kept', async () => {
    const visit = await arrive();
    const { caller, page } = visit;
    const revoke = page.getByRole('button', { name: 'Revoke test' });
    await revoke.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Revoke “test”?' }).waitFor();
    await expectSoundPage(visit);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await untilFocused(page, text => text === 'Revoke test');
    expect(await statusWith(caller, caller.key)).toBe(200);

    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Keep it' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('no longer works').waitFor();
    expect(await statusWith(caller, caller.key)).toBe(401);
    await page.getByText('You have no keys.').waitFor();
    await untilFocused(page, text => text === 'Live keys');
    await expectSoundPage(visit);
  });

  test('the twenty-first key is rejected with a hint to revoke one', async () => {
    const caller = await service.newCaller();
    for (let made = 1; made < 20; made += 1) {
      expect((await caller.post('/api/keys', { name: `key ${made}` }, { as: 'session' })).status).toBe(201);
    }
    const visit = await visitAs(browser, caller, '/keys');
    const { page } = visit;
    await page.getByLabel('Name of the new key').fill('one too many');
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByRole('alert').innerText()).toMatch(/at most 20 .* Revoke one/);
    await expectSoundPage(visit);
  });

  test('a long name with special characters is shown as it is', async () => {
    const visit = await arrive();
    const name = `<b>&"${'x'.repeat(95)}`;
    await createKey(visit.page, name);
    await expectSoundPage(visit);
    await visit.page.getByRole('button', { name: 'I have stored it' }).click();
    await visit.page.getByRole('rowheader', { name }).waitFor();
    await visit.page.getByRole('button', { name: `Revoke ${name}` }).click();
    await visit.page.getByRole('dialog').waitFor();
    await expectSoundPage(visit);
  });

  test('a visitor sees only a link to the sign-in, which leads back', async () => {
    const visit = await browser.visit(`${service.url}/keys`);
    const link = visit.page.getByRole('main').getByRole('link', { name: 'Sign in' });
    expect(await link.getAttribute('href')).toBe('/sign-in?to=%2Fkeys');
    await expectSoundPage(visit);
  });
});
