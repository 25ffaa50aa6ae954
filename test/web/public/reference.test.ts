import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { operations } from '../../../contract/operations.js';
import { expectNoAxeViolations } from '../../support/browser/axe.js';
import { desktop } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectFitsPhoneWhenOpened } from '../../support/browser/expect-fits-phone.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { send } from '../../support/service/send.js';

const service = await usePageService({ worker: false });

const anchorOf = (id: string) => id.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

describe('/docs', () => {
  let html: string;
  beforeAll(async () => {
    html = await (await fetch(`${service.url}/docs`)).text();
  });

  test('has a section for every operation, which its navigation names', () => {
    const anchors = Object.keys(operations).map(anchorOf);
    expect(all(html, /<section class="operation" id="([^"]+)"/g)).toEqual(expect.arrayContaining(anchors));
    const navigation = html.slice(html.indexOf('<nav class="contents"'), html.indexOf('<h1>'));
    expect(all(navigation, /href="#([^"]+)"/g)).toEqual(expect.arrayContaining(anchors));
  });

  test('has every target of its links, once', async () => {
    const ids = all(html, / id="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...new Set(all(html, / href="([^"]+)"/g))];
    const missing = links.filter(link => link.startsWith('#') && !ids.includes(link.slice(1)));
    expect(missing).toEqual([]);
    for (const path of links.filter(link => link.startsWith('/'))) {
      const { status } = await fetch(service.url + path, { headers: { accept: 'text/html,*/*;q=0.1' } });
      expect([path, status]).toEqual([path, 200]);
    }
  });

  test('loads at most 100 KB of script, before compression', async () => {
    const scripts = all(html, /<(?:script|link rel="modulepreload")[^>]*(?:src|href)="([^"]+\.js)"/g);
    expect(scripts).not.toEqual([]);
    const sizes = await Promise.all(
      scripts.map(async path => (await (await fetch(service.url + path)).arrayBuffer()).byteLength),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(100_000);
  });

  test('is revalidated by its ETag, and has the policy of the other pages', async () => {
    const { headers } = await fetch(`${service.url}/docs`);
    const policy = 'content-security-policy';
    expect(headers.get(policy)).toBe((await fetch(`${service.url}/healthz`)).headers.get(policy));
    const again = await fetch(`${service.url}/docs`, {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  test.each(['swagger-ui-bundle.js', 'package.json', '..%2Fapp.ts'])('serves no %s', async file => {
    expect((await send(`${service.url}/docs/${file}`)).status).toBe(404);
  });
});

describeInBrowser('the reference', browser => {
  test('is accessible and fits a phone, with all details open', async () => {
    const { page, troubles } = await browser.visit(`${service.url}/docs`);
    await expectNoAxeViolations(page);
    await expectFitsPhoneWhenOpened(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoAxeViolations(page);
    await page.setViewportSize(desktop);
    await expectNoAxeViolations(page);
    expect(troubles).toEqual([]);
  });

  test('shows the operation that an address names', async () => {
    for (const anchor of ['create-report', 'reset-password', 'problem-internal']) {
      const { page } = await browser.visit(`${service.url}/docs#${anchor}`);
      const top = await page.evaluate<number>(
        `document.getElementById('${anchor}').getBoundingClientRect().top`,
      );
      expect([anchor, top > -2 && top < 600]).toEqual([anchor, true]);
    }
  });

  test('can be read without scripts, in each language', async () => {
    const { page } = await browser.visit(`${service.url}/docs`, { javaScriptEnabled: false });
    const section = page.locator('#create-report');
    await section.getByText('curl -X POST').waitFor();
    await section.getByRole('radio', { name: 'Python' }).check();
    await section.getByText('import urllib.request').waitFor();
    expect(await section.getByText('curl -X POST').isVisible()).toBe(false);
    expect(await section.getByRole('button', { name: 'Try it' }).isVisible()).toBe(false);
  });

  test('calls an operation with the entered key, and does not store the key', async () => {
    const caller = await service.newCaller(321);
    const { page, troubles } = await browser.visit(`${service.url}/docs`);
    expect(await tried(page, 'get-balance', caller.key)).toContain('"balance_credits": 321');
    // Entered once, for all.
    expect(await tried(page, 'list-reports')).toContain('"reports": []');
    const kept = await page.evaluate<string>(
      'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])',
    );
    expect(kept).not.toContain(caller.key);
    expect(troubles).toEqual([]);
  });

  test('sends parameters and a body, and shows the problem that answers', async () => {
    const caller = await service.newCaller(0);
    const { page } = await browser.visit(`${service.url}/docs`);
    expect(await tried(page, 'get-event')).toContain('"event_id": "');
    const answer = await tried(page, 'create-report', caller.key);
    expect(answer).toMatch(/^402/);
    expect(answer).toContain('"code": "insufficient_credits"');
    expect(await page.locator('#create-report .answer').innerText()).toContain('Headers');
  });

  test('filters its navigation by title, path and id', async () => {
    const { page } = await browser.visit(`${service.url}/docs`);
    await page.getByRole('searchbox', { name: 'Filter' }).fill('/api/credits/led');
    const shown = page.locator('.contents [data-words]:visible');
    expect(await shown.allInnerTexts()).toEqual(['List ledger entries']);
  });
});

/** What a call that is sent with the form's own values shows. */
async function tried(page: Page, anchor: string, key?: string): Promise<string> {
  const section = page.locator(`#${anchor}`);
  await section.getByRole('button', { name: 'Try it' }).click();
  if (key !== undefined) await section.getByLabel('API key or session token').fill(key);
  await section.getByRole('button', { name: 'Send' }).click();
  await section.locator('.answer pre').nth(1).waitFor();
  return section.locator('.answer').innerText();
}
