import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { part } from '../../support/browser/account-page.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { signIn, visitAs } from '../../support/browser/visit-as.js';
import { heapContains } from '../../support/machine/heap-contains.js';
import { type MailingService, startMailingService } from '../../support/mail/mailing-service.js';
import { testPassword } from '../../support/service/test-caller.js';
import type { TestService } from '../../support/service/test-service.js';

describeInBrowser('the pages of sign-in, addresses and passwords', browser => {
  let world: MailingService;
  let service: TestService;
  const open = (to: string, like = {}) =>
    browser.visit(`${service.url}/sign-in?to=${encodeURIComponent(to)}`, like);

  beforeAll(async () => {
    const policy = { grantNeedsVerifiedAddress: true };
    world = await startMailingService({ pages: await loadPageRenderer(), policy });
    service = world.service;
  });
  afterAll(() => world.stop());

  /** Types into the focused field after the given label, and submits, with the keyboard alone. */
  async function typeInto(page: Page, label: string, text: string): Promise<void> {
    await page.locator('form button[type=submit]:enabled').waitFor();
    await page.getByLabel(label).focus();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }

  test('a wrong password and an unknown address show the same message', async () => {
    const caller = await service.newCaller();
    const messages: string[] = [];
    for (const email of [caller.email, `${randomUUID()}@example.test`]) {
      const visit = await open('/keys');
      await signIn(visit, email, 'not the password');
      messages.push(await visit.page.getByRole('alert').innerText());
      expect(visit.page.url()).toContain('/sign-in');
      await expectSoundPage(visit);
    }
    expect(messages[0]).toContain('The e-mail address or the password is wrong');
    expect(messages[1]).toBe(messages[0]);
  });

  test('a new member continues to the requested page, confirms the address by mail, and has a free report', async () => {
    const { page, ...visit } = await browser.visit(`${service.url}/account?page=3`);
    await page.getByRole('link', { name: 'Sign in' }).last().click();
    await page.getByRole('button', { name: 'Create an account' }).click();
    const email = `${randomUUID()}@example.test`;
    await signIn({ page }, email);
    await page.waitForURL(`${service.url}/account?page=3`);
    await page.getByText(`Signed in as ${email}`).waitFor();
    await part(page, 'Balance').getByText('Waits', { exact: true }).waitFor();
    await expectSoundPage({ page, ...visit });
    const first = await world.inbox.next(email);
    await page.getByRole('button', { name: 'Send the mail again' }).press('Enter');
    await page.getByText('Sent.').waitFor();
    const second = await world.inbox.next(email);
    expect(second.subject).toBe(first.subject);
    await page.goto(second.link);
    await page.getByText('Your address is confirmed.').waitFor();
    await expectSoundPage({ page, ...visit });
    await page.getByRole('link', { name: 'your account' }).press('Enter');
    await part(page, 'Balance').getByText('Available', { exact: true }).waitFor();
    expect(await page.getByText('Send the mail again').count()).toBe(0);
  });

  test('a member who forgot the password sets a new one by mail, with the keyboard alone', async () => {
    const { email } = await world.signUp();
    await world.inbox.next(email);
    const { page, ...visit } = await browser.visit(`${service.url}/sign-in`);
    await page.getByRole('link', { name: 'Forgotten your password?' }).press('Enter');
    await page.getByRole('heading', { name: 'Forgotten password' }).waitFor();
    await typeInto(page, 'E-mail address', email);
    await page.getByText('Check your mail.').waitFor();
    await expectSoundPage({ page, ...visit });
    const { link } = await world.inbox.next(email);
    await page.goto(link);
    await expectSoundPage({ page, ...visit });
    await typeInto(page, 'New password', 'another horse battery');
    await page.getByText('Your new password is set.').waitFor();
    await page.getByRole('link', { name: 'Sign in', exact: true }).last().press('Enter');
    await signIn({ page }, email, 'another horse battery');
    await page.waitForURL(`${service.url}/`);
    await page.goto(link);
    await typeInto(page, 'New password', 'a third horse battery');
    await page.getByText('This link does not work.').waitFor();
    await expectSoundPage({ page, ...visit });
  });

  test('an address that already has an account opens none, and the page leads to the mail', async () => {
    const caller = await service.newCaller();
    const visit = await open('/');
    await visit.page.getByRole('button', { name: 'Create an account' }).click();
    await signIn(visit, caller.email, 'some other password');
    await visit.page.getByText('Check your mail').waitFor();
    expect(visit.page.url()).toContain('/sign-in');
    expect(await visit.page.locator('main').innerText()).toContain('sign in instead');
    await expectSoundPage(visit);
  });

  test('a link cannot redirect to another site after the sign-in', async () => {
    const caller = await service.newCaller();
    const visit = await open('/.//evil.test/');
    await expectSoundPage(visit);
    await signIn(visit, caller.email);
    await visit.page.getByRole('link', { name: 'Account' }).waitFor();
    await visit.page.waitForURL(url => url.pathname !== '/sign-in');
    expect(visit.page.url()).toBe(`${service.url}/`);
  });

  test('a signed-in member sees the account and can continue', async () => {
    const caller = await service.newCaller();
    const visit = await visitAs(browser, caller, '/account');
    await visit.page.goto(`${service.url}/sign-in?to=/keys`);
    await visit.page.getByText(`You are signed in as ${caller.email}`).waitFor();
    await expectSoundPage(visit);
    await visit.page.getByRole('link', { name: 'Continue' }).click();
    await visit.page.waitForURL(`${service.url}/keys`);
  });

  test('a second sign-in sees and does nothing as the previous member', async () => {
    const [first, second] = [await service.newCaller(111), await service.newCaller(222)];
    const { page, troubles } = await visitAs(browser, first, '/account');
    await part(page, 'Balance').locator('dd.large', { hasText: '111' }).waitFor();
    // Client-side navigation only, so that the script's memory is kept.
    await page.evaluate(
      `history.pushState({}, '', '/sign-in?to=/keys'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.getByRole('link', { name: 'Continue' }).waitFor();
    await signIn({ page }, second.email);
    await page.waitForURL(`${service.url}/keys`);
    await page.getByLabel('Name of the new key').fill('whose');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'whose' }).waitFor();
    const names = async (caller: typeof first) =>
      (await caller.get('/api/keys', { as: 'session' })).body.keys.map(({ name }: { name: string }) => name);
    expect(await names(second)).toContain('whose');
    expect(await names(first)).not.toContain('whose');
    expect(troubles).toEqual([]);
  });

  test('the password is not kept in memory after the sign-in', async () => {
    const caller = await service.newCaller();
    const visit = await open('/keys');
    await visit.page.getByLabel('Password').fill(testPassword);
    expect(await heapContains(visit.page, testPassword)).toBe(true);
    await signIn(visit, caller.email);
    await visit.page.getByRole('heading', { name: 'Live keys' }).waitFor();
    expect(await heapContains(visit.page, testPassword)).toBe(false);
  });

  test('without JavaScript, no password ends up in an address', async () => {
    const { page } = await open('/', { javaScriptEnabled: false });
    expect(await page.locator('form').last().getAttribute('method')).toBe('post');
    expect(await page.locator('form button[type=submit]').last().isDisabled()).toBe(true);
    expect(await page.locator('main').innerText()).toContain('needs JavaScript');
  });
});
