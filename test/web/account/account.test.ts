import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { grantCredits } from '../../../db/ledger/credit-grants.js';
import { creditsShown, numberIn, part } from '../../support/browser/account-page.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { untilFocused } from '../../support/browser/until-focused.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs, visitAsNew } from '../../support/browser/visit-as.js';
import { heapContains } from '../../support/machine/heap-contains.js';

const service = await usePageService({ worker: false });

describeInBrowser('the account page without payments', browser => {
  const arrive = (...member: Parameters<typeof service.newCaller>) =>
    visitAsNew(browser, service, '/account', ...member);

  test('says so and offers no action', async () => {
    const visit = await arrive(500);
    for (const name of ['Buy credits', 'Subscription for programs']) {
      const region = part(visit.page, name);
      await region.getByText('Payments are not set up').waitFor();
      expect(await region.locator('button, a, input').count()).toBe(0);
    }
    await expectSoundPage(visit);
  });

  test('shows the balance of the API', async () => {
    const { caller, page } = await arrive(1_234, { weeklyGrant: true });
    const { body } = await caller.get('/api/credits/balance');
    await part(page, 'Balance').getByText('Available').waitFor();
    const text = await part(page, 'Balance').innerText();
    expect(await creditsShown(page)).toBe(body.balance_credits);
    expect(text).toContain(`Worth ${body.weekly_grant.worth_credits} credits`);
    const resets = new Date(body.weekly_grant.resets_at);
    expect(text).toContain(`${resets.getUTCDate()} `);
    expect(text).toContain('00:00 UTC');
  });

  test('the transactions on all pages add up to the balance', async () => {
    const caller = await service.newCaller();
    for (let credits = 1; credits <= 45; credits += 1) {
      const operationId = randomUUID();
      const grant = { accountId: caller.accountId, credits, reason: 'test', operationId, now: new Date() };
      await grantCredits(service.database.db, grant);
    }
    const visit = await visitAs(browser, caller, '/account');
    const { page } = visit;
    const ledger = part(page, 'Transactions');
    let [sum, count] = [0, 0];
    for (let at = 1; ; at += 1) {
      await ledger.getByText(at === 1 ? /in total, newest first/ : `Page ${at}`).waitFor();
      await ledger.locator('[aria-busy=false]').waitFor();
      for (const row of await ledger.locator('tbody tr').all()) {
        const [, what = '', amount = ''] = await row.locator('td').allInnerTexts();
        if (what.includes('weekly grant')) continue;
        sum += numberIn(amount);
        count += 1;
      }
      const next = ledger.getByRole('link', { name: 'Next' });
      if ((await next.count()) === 0) break;
      await next.click();
    }
    expect(count).toBe(45);
    expect(sum).toBe((45 * 46) / 2);
    expect(await creditsShown(page)).toBe(sum);
    await expectSoundPage(visit);
  });

  test('a visitor sees no account data', async () => {
    const visit = await browser.visit(`${service.url}/account`);
    await visit.page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await visit.page.getByRole('main').getByRole('region').count()).toBe(0);
    await expectSoundPage(visit);
  });

  test('signing out removes all private data, also from the way back', async () => {
    const caller = await service.newCaller(4_321);
    const visit = await visitAs(browser, caller, '/keys');
    const { page, context } = visit;
    const known = caller.key.slice(0, 12);
    await page.getByText(known).waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await part(page, 'Balance').getByText('4\u202f321').waitFor();
    expect(await heapContains(page, known)).toBe(true);
    const refused: string[] = [];
    page.on('response', answer => answer.status() === 401 && refused.push(answer.url()));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${service.url}/`);
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor();
    await page.getByRole('link', { name: 'Track record' }).click();
    await page.getByRole('heading', { name: 'Track record' }).waitFor();
    expect(await heapContains(page, known)).toBe(false);
    await page.goBack();
    await page.goBack();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
    const left = await page.content();
    expect(left).not.toContain(caller.email);
    expect(left).not.toMatch(/4\s?321/);
    const session = await context.request.get(`${service.url}/api/auth/get-session`);
    expect(await session.json()).toBeNull();
    expect(refused).toEqual([]);
    expect(visit.troubles).toEqual([]);
  });

  describe('provider keys', () => {
    const store = async (page: Page, provider: string, key: string) => {
      const region = part(page, 'Your own provider keys');
      await region.getByLabel('Provider').selectOption(provider);
      await region.getByLabel('Key', { exact: true }).fill(key);
      await region.getByRole('button', { name: 'Store' }).click();
      await region.getByText(`ends in ${key.slice(-4)}`).waitFor();
      await region
        .locator('tbody')
        .getByText(`…${key.slice(-4)}`)
        .waitFor();
    };
    const everything = (page: Page) =>
      page.evaluate<string>(
        `document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(field => field.value)`,
      );

    test('only the last four characters of a stored key are shown', async () => {
      const visit = await arrive();
      const { caller, page } = visit;
      const key = 'sk-very-secret-0123456789-WXYZ';
      await store(page, 'anthropic', key);
      expect(await everything(page)).not.toContain('very-secret');
      await page.reload();
      await part(page, 'Your own provider keys').getByText('…WXYZ').waitFor();
      expect(await everything(page)).not.toContain('very-secret');
      expect((await caller.get('/api/provider-keys', { as: 'session' })).body.provider_keys).toMatchObject([
        { provider: 'anthropic', last4: 'WXYZ' },
      ]);
      await expectSoundPage(visit);
    });

    test('missing keys are named, one OpenRouter key is enough, and deleting a key asks for confirmation', async () => {
      const visit = await arrive();
      const { caller, page } = visit;
      const region = part(page, 'Your own provider keys');
      await store(page, 'openai', 'sk-openai-0123456789');
      await region
        .getByText('To run reports with your own keys, add keys for Anthropic, Google and xAI')
        .waitFor();
      await store(page, 'openrouter', 'sk-or-0123456789-last');
      await region.getByText('You can run reports with your own keys, through OpenRouter').waitFor();
      await region.getByRole('button', { name: 'Delete the OpenRouter key' }).click();
      await page.getByRole('dialog').waitFor();
      await expectSoundPage(visit);
      await page.getByRole('button', { name: 'Delete it' }).click();
      await region.getByText('To run reports with your own keys').waitFor();
      await untilFocused(page, text => text.includes('OpenRouter'));
      const { provider_keys: left } = (await caller.get('/api/provider-keys', { as: 'session' })).body;
      expect(left.map(({ provider }: { provider: string }) => provider)).toEqual(['openai']);
    });

    test('an invalid key is rejected without being shown', async () => {
      const visit = await arrive();
      const region = part(visit.page, 'Your own provider keys');
      await region.getByLabel('Key', { exact: true }).fill('with spaces in it');
      await region.getByRole('button', { name: 'Store' }).click();
      const message = await region.getByRole('alert').innerText();
      expect(message).toContain('printable ASCII');
      expect(message).not.toContain('with spaces in it');
    });
  });
});
