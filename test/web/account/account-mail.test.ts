import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { part } from '../../support/browser/account-page.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { signIn } from '../../support/browser/visit-as.js';
import { type MailingService, startMailingService } from '../../support/mail/mailing-service.js';

describeInBrowser('the pages of addresses and passwords', browser => {
  let world: MailingService;
  beforeAll(async () => {
    world = await startMailingService({
      pages: await loadPageRenderer(),
      policy: { grantNeedsVerifiedAddress: true },
    });
  });
  afterAll(() => world.stop());

  /** Types into the focused field after the given label, and submits, with the keyboard alone. */
  async function typeInto(page: Page, label: string, text: string): Promise<void> {
    await page.locator('form button[type=submit]:enabled').waitFor();
    await page.getByLabel(label).focus();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }

  test('a new member confirms the address by mail, and the free report is available', async () => {
    const { page, ...visit } = await browser.visit(`${world.service.url}/sign-in?to=/account`);
    await page.getByRole('button', { name: 'Create an account' }).click();
    const email = `${randomUUID()}@example.test`;
    await signIn({ page }, email);
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
    const { page, ...visit } = await browser.visit(`${world.service.url}/sign-in`);
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
    await page.waitForURL(`${world.service.url}/`);
    await page.goto(link);
    await typeInto(page, 'New password', 'a third horse battery');
    await page.getByText('This link does not work.').waitFor();
    await expectSoundPage({ page, ...visit });
  });
});
