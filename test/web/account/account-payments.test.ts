import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { spendCredits } from '../../db/support/spend-credits.js';
import { creditsShown, part } from '../../support/browser/account-page.js';
import type { Visit } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { visitAs } from '../../support/browser/visit-as.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestBilling } from '../../support/use-service.js';

const dayMs = 24 * 3_600_000;
const period = () => ({ from: new Date(Date.now() - dayMs), to: new Date(Date.now() + 29 * dayMs) });
const billing = await useTestBilling({ pages: await loadPageRenderer() });

describeInBrowser('the account page with payments', browser => {
  /** Opens the account page in a browser with a stub of the payment provider's pages. */
  async function open(caller: TestCaller): Promise<Visit> {
    const visit = await visitAs(browser, caller, '/account');
    await visit.context.route(/^https:\/\/(checkout|billing)\.stripe\.test\//, route =>
      route.fulfill({ contentType: 'text/html', body: '<title>Pay</title><h1>Pay here</h1>' }),
    );
    return visit;
  }

  async function arrive() {
    const caller = await billing.service.newCaller();
    return { caller, ...(await open(caller)) };
  }

  const sessionAt = async (page: Page) => {
    await page.waitForURL('https://checkout.stripe.test/**');
    const id = page.url().split('/').at(-1) ?? '';
    const session = billing.stripe.books.sessions.get(id);
    if (session === undefined) throw new Error(`there is no session ${id}`);
    return { id, session, form: session.form };
  };

  test('buying goes to the payment provider and back, and the credits appear without a reload', async () => {
    const visit = await arrive();
    const { caller, page } = visit;
    await page.getByRole('button', { name: 'Buy 2\u202f000 credits' }).click();
    const { id, form } = await sessionAt(page);
    expect(form['success_url']).toBe(`${caller.url}/account?checkout=success`);
    await page.goto(form['success_url'] ?? '');
    await page.getByText('Thank you.').waitFor();
    await part(page, 'Balance').getByText('Enough for').or(page.getByText('too low')).waitFor();
    expect(await creditsShown(page)).toBe(0);
    await billing.deliverNew('checkout.session.completed', billing.stripe.books.pay(id));
    await part(page, 'Balance').getByText('2\u202f000', { exact: true }).waitFor();
    await part(page, 'Transactions').getByText('Credits bought').waitFor();
    await expectSoundPage(visit);
  });

  test('leaving the payment page shows that nothing was charged', async () => {
    const visit = await arrive();
    const { page } = visit;
    await page.getByRole('button', { name: 'Buy 500 credits' }).click();
    const { form } = await sessionAt(page);
    await page.goto(form['cancel_url'] ?? '');
    await page.getByText('Nothing was charged').waitFor();
    await part(page, 'Balance').locator('dd.large').first().waitFor();
    expect(await creditsShown(page)).toBe(0);
    await expectSoundPage(visit);
  });

  test('shows the prices of the API and the price per credit', async () => {
    const caller = await billing.service.newCaller();
    const { packs } = (await caller.get('/api/credits/packs')).body;
    const { page } = await open(caller);
    const cards = part(page, 'Buy credits').getByRole('listitem');
    await cards.first().waitFor();
    const shown = (await cards.allInnerTexts()).map(text =>
      text.replaceAll('\u202f', '').replaceAll(/\s+/g, ' '),
    );
    expect(shown).toEqual(
      packs.map(({ credits, price_usd_cents: price }: { credits: number; price_usd_cents: number }) =>
        expect.stringContaining(
          `${credits} credits $${(price / 100).toFixed(2)} ${(price / credits).toFixed(2)} ¢ per credit`,
        ),
      ),
    );
  });

  test('a subscription starts at the payment provider, shows its usage, and ends after a confirmation', async () => {
    const visit = await arrive();
    const { caller, page } = visit;
    const region = part(page, 'Subscription for programs');
    await region.getByRole('button', { name: 'Subscribe' }).click();
    const { id, session, form } = await sessionAt(page);
    billing.stripe.books.subscribe(id, period());
    await page.goto(form['success_url'] ?? '');
    await billing.deliverNew('checkout.session.completed', session);
    await region.getByText('Active').waitFor();
    expect(await region.innerText()).toContain('$0.00');
    await expectSoundPage(visit);

    const cancel = region.getByRole('button', { name: 'Cancel the subscription' });
    await cancel.click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect((await caller.get('/api/billing/status')).body.cancel_at_period_end).toBe(false);
    await cancel.click();
    await page.getByRole('button', { name: 'Cancel it' }).click();
    await region.getByText('The subscription is cancelled.').waitFor();
    expect(await region.innerText()).toContain('Ends on');
    const { body: status } = await caller.get('/api/billing/status');
    expect(status).toMatchObject({ plan: 'subscription', cancel_at_period_end: true });
    await expectSoundPage(visit);
  });

  test('an unpaid subscription leads to the billing portal', async () => {
    const caller = await billing.service.newCaller();
    const subscription = await billing.subscribed(caller, period());
    subscription.status = 'past_due';
    await billing.deliverNew('customer.subscription.updated', subscription);
    const visit = await open(caller);
    const { page } = visit;
    await part(page, 'Subscription for programs').getByText('is unpaid').waitFor();
    await expectSoundPage(visit);
    await page.getByRole('button', { name: 'Invoices and payment method' }).click();
    await page.waitForURL(`https://billing.stripe.test/${subscription.customer}/**`);
  });

  test('owed credits are shown with the reason', async () => {
    const caller = await billing.service.newCaller();
    const { payment } = await billing.buyPack(caller);
    await spendCredits(billing.service.database.db, caller.accountId, 420);
    payment.amount_refunded = 700;
    await billing.deliverNew('charge.refunded', payment);
    const { owed_credits: owed } = (await caller.get('/api/billing/status')).body;
    expect(owed).toBe(420);
    const visit = await open(caller);
    await visit.page.getByText(`You owe ${owed} credits.`).waitFor();
    await part(visit.page, 'Transactions').getByText('Payment reversed').first().waitFor();
    await expectSoundPage(visit);
  });

  test('an unreachable payment provider shows an error, and the button works again', async () => {
    const visit = await arrive();
    const { page } = visit;
    const buy = page.getByRole('button', { name: 'Buy 500 credits' });
    await buy.waitFor();
    billing.stripe.fault = 'down';
    await buy.click();
    await part(page, 'Buy credits').getByRole('alert').waitFor();
    billing.clearFaults();
    await expectSoundPage(visit);
    await buy.click();
    await sessionAt(page);
  });
});
