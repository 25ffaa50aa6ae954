import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { untilFocused } from '../../support/browser/until-focused.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs, visitAsNew } from '../../support/browser/visit-as.js';
import { heapContains } from '../../support/machine/heap-contains.js';
import type { TestCaller } from '../../support/service/test-caller.js';

const session = { as: 'session' } as const;
const url = 'https://hooks.example.com/council';

const service = await usePageService({ worker: false });

const webhooksOf = async (caller: TestCaller) => (await caller.get('/api/webhooks', session)).body.webhooks;

/** @returns the secret as the page shows it */
async function createWebhook(page: Page, address = url): Promise<string> {
  await page.getByLabel('Address').fill(address);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const shown = page.getByRole('region', { name: 'The secret of your webhook' });
  return shown.locator('code').first().innerText();
}

const card = (page: Page, address = url) => page.getByRole('region', { name: address, exact: true });
const act = (page: Page, name: string) => card(page).getByRole('button', { name: new RegExp(`^${name}`) });

describeInBrowser('the webhooks page', browser => {
  const arrive = () => visitAsNew(browser, service, '/webhooks');

  /** A member with a webhook, and a test of it that failed. */
  async function arriveWithDelivery() {
    const caller = await service.newCaller();
    const { body } = await caller.post('/api/webhooks', { url, types: ['report.failed'] }, session);
    const { id } = body.webhook;
    const { delivery_id } = (await caller.post(`/api/webhooks/${id}/test`, undefined, session)).body;
    const { pool } = service.database;
    await pool.query(
      `update webhook_deliveries set status = 'failed', ended_at = now(), next_attempt_at = null where id = $1`,
      [delivery_id],
    );
    await pool.query(
      `insert into webhook_attempts (delivery_id, number, at, status_code, error, excerpt)
        values ($1, 1, now(), 500, 'The endpoint answered 500.', '<b>oops</b>')`,
      [delivery_id],
    );
    return { caller, id, delivery_id, ...(await visitAs(browser, caller, '/webhooks')) };
  }

  test('a new webhook shows its secret once, and nowhere afterwards', async () => {
    const visit = await arrive();
    const { caller, page } = visit;
    const secret = await createWebhook(page);
    expect(secret).toMatch(/^whsec_.{44}$/);
    await expectSoundPage(visit);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByLabel('Address').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: 'Track record' }).click();
    await page.getByRole('heading', { level: 1, name: 'Track record' }).waitFor();
    expect(await heapContains(page, secret)).toBe(false);
    expect(await webhooksOf(caller)).toMatchObject([{ url, types: ['report.completed', 'report.failed'] }]);
  });

  test('an address that is refused is named, and nothing is created', async () => {
    const visit = await arrive();
    const { caller, page } = visit;
    await page.getByLabel('Address').fill('ftp://hooks.example.com/');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('must begin with');
    await expectSoundPage(visit);
    expect(await webhooksOf(caller)).toEqual([]);
  });

  test('a webhook is edited, disabled and enabled', async () => {
    const visit = await arrive();
    const { caller, page } = visit;
    await createWebhook(page);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await act(page, 'Edit').click();
    await card(page).getByLabel('What it is for').fill('production');
    await card(page).getByLabel('a report fails').uncheck();
    await card(page).getByLabel('a report is graded').check();
    await card(page).getByRole('button', { name: 'Save' }).click();
    await card(page).getByText('production').waitFor();
    await untilFocused(page, text => text === url);
    const [edited] = await webhooksOf(caller);
    expect(edited).toMatchObject({
      description: 'production',
      types: ['report.completed', 'report.graded'],
    });
    await act(page, 'Disable').click();
    await card(page).getByText('Disabled. Nothing is sent.').waitFor();
    expect(await act(page, 'Send a test').isDisabled()).toBe(true);
    await expectSoundPage(visit);
    await act(page, 'Enable').click();
    await card(page).getByText('Active.').waitFor();
  });

  test('types that the page does not offer survive an edit', async () => {
    const caller = await service.newCaller();
    const types = ['report.failed', 'batch.completed'];
    await caller.post('/api/webhooks', { url, types }, session);
    const { page } = await visitAs(browser, caller, '/webhooks');
    await act(page, 'Edit').click();
    await card(page).getByLabel('a report is completed').check();
    await card(page).getByRole('button', { name: 'Save' }).click();
    await card(page).getByText('Sent: report.completed, report.failed, batch.completed').waitFor();
  });

  test('a new secret is asked for, and shown once', async () => {
    const visit = await arriveWithDelivery();
    const { page } = visit;
    await act(page, 'New secret').click();
    await page.getByRole('dialog', { name: 'Make a new secret?' }).waitFor();
    await expectSoundPage(visit);
    await page.getByRole('button', { name: 'Make it' }).click();
    const shown = page.getByRole('region', { name: 'The secret of your webhook' });
    const secret = await shown.locator('code').first().innerText();
    await shown.getByText('with the secret before').waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    expect(await page.content()).not.toContain(secret);
  });

  test('a test is sent, its tries are shown as text, and it is sent again', async () => {
    const visit = await arriveWithDelivery();
    const { page, delivery_id } = visit;
    await card(page).getByText('Deliveries', { exact: true }).click();
    await card(page).getByText('failed after one try').waitFor();
    await card(page).getByText('500 · The endpoint answered 500. <b>oops</b>').waitFor();
    await expectSoundPage(visit);
    await act(page, `Send again.*${delivery_id}`).click();
    await card(page).getByText('one try so far').waitFor();
    await act(page, 'Send a test').click();
    await card(page).getByText('2 in the last 30 days').waitFor();
    await card(page).getByText('being sent').waitFor();
  });

  test('a webhook can be deleted with the keyboard, and the focus is kept', async () => {
    const visit = await arriveWithDelivery();
    const { caller, page } = visit;
    await act(page, 'Delete').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Keep it' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(`Nothing more is sent to ${url}.`).waitFor();
    await page.getByText('You have no webhooks.').waitFor();
    await untilFocused(page, text => text === 'Your webhooks');
    expect(await webhooksOf(caller)).toEqual([]);
    await expectSoundPage(visit);
  });

  test('a visitor sees only a link to the sign-in, which leads back', async () => {
    const visit = await browser.visit(`${service.url}/webhooks`);
    const link = visit.page.getByRole('main').getByRole('link', { name: 'Sign in' });
    expect(await link.getAttribute('href')).toBe('/sign-in?to=%2Fwebhooks');
    await expectSoundPage(visit);
  });
});
