import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { signIn, visitAs } from '../../support/browser/visit-as.js';
import { memoryHolds } from '../../support/machine/memory-holds.js';
import { testPassword } from '../../support/service/test-caller.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

describeInBrowser('signing in', browser => {
  let service: TestService;
  const open = (to: string, like = {}) =>
    browser.visit(`${service.url}/sign-in?to=${encodeURIComponent(to)}`, like);

  beforeAll(async () => {
    service = await startTestService({ worker: false, pages: await loadPageRenderer() });
  });
  afterAll(() => service.stop());

  test('a wrong password is told plainly, and does not tell who has an account', async () => {
    const caller = await service.newCaller();
    const told: string[] = [];
    for (const email of [caller.email, `${randomUUID()}@example.test`]) {
      const visit = await open('/keys');
      await signIn(visit, email, 'not the password');
      told.push(await visit.page.getByRole('alert').innerText());
      expect(visit.page.url()).toContain('/sign-in');
      await expectSoundPage(visit);
    }
    expect(told[0]).toContain('do not belong together');
    expect(told[1]).toBe(told[0]);
  });

  test('whoever opens an account lands where they were going, and is signed in there', async () => {
    const { page, troubles } = await browser.visit(`${service.url}/account?page=3`);
    await page.getByRole('link', { name: 'Sign in' }).last().click();
    await page.getByRole('button', { name: 'Open an account' }).click();
    const email = `${randomUUID()}@example.test`;
    await signIn({ page }, email);
    await page.waitForURL(`${service.url}/account?page=3`);
    await page.getByText(`Signed in as ${email}`).waitFor();
    expect(troubles).toEqual([]);
  });

  test('an address that has an account already is told so', async () => {
    const caller = await service.newCaller();
    const visit = await open('/');
    await visit.page.getByRole('button', { name: 'Open an account' }).click();
    await signIn(visit, caller.email, 'some other password');
    expect(await visit.page.getByRole('alert').innerText()).toContain('sign in instead');
    await expectSoundPage(visit);
  });

  test.each([
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test/',
    '/\t/evil.test/',
    '/.//evil.test/',
    '\\\\evil.test/',
    'javascript:alert(1)',
  ])('an address from outside cannot send a visitor elsewhere afterwards: %j', async to => {
    const caller = await service.newCaller();
    const { page, troubles } = await open(to);
    await signIn({ page }, caller.email);
    await page.getByRole('link', { name: 'Account' }).waitFor();
    await page.waitForURL(url => url.pathname !== '/sign-in');
    expect(page.url()).toBe(`${service.url}/`);
    expect(troubles).toEqual([]);
  });

  test('whoever is signed in already is told as whom, and can go on', async () => {
    const caller = await service.newCaller();
    const visit = await visitAs(browser, caller, '/account');
    await visit.page.goto(`${service.url}/sign-in?to=/keys`);
    await visit.page.getByText(`You are signed in as ${caller.email}`).waitFor();
    await expectSoundPage(visit);
    await visit.page.getByRole('link', { name: 'Go on' }).click();
    await visit.page.waitForURL(`${service.url}/keys`);
  });

  test('who signs in after another sees and does nothing as the one before', async () => {
    const [first, second] = [await service.newCaller(111), await service.newCaller(222)];
    const { page, troubles } = await visitAs(browser, first, '/account');
    await page.locator('#balance + dl').getByText('111').waitFor();
    // By links only, so that the script's memory lives on.
    await page.evaluate(
      `history.pushState({}, '', '/sign-in?to=/keys'); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.getByRole('link', { name: 'Go on' }).waitFor();
    await signIn({ page }, second.email);
    await page.waitForURL(`${service.url}/keys`);
    await page.getByLabel('Name of the new key').fill('whose');
    await page.getByRole('button', { name: 'Make key' }).click();
    await page.getByRole('heading', { name: 'whose' }).waitFor();
    const names = async (caller: typeof first) =>
      (await caller.get('/api/keys', { as: 'session' })).body.keys.map(({ name }: { name: string }) => name);
    expect(await names(second)).toContain('whose');
    expect(await names(first)).not.toContain('whose');
    expect(troubles).toEqual([]);
  });

  test('a password is not kept when it has been used', async () => {
    const caller = await service.newCaller();
    const visit = await open('/keys');
    await visit.page.getByLabel('Password').fill(testPassword);
    expect(await memoryHolds(visit.page, testPassword)).toBe(true);
    await signIn(visit, caller.email);
    await visit.page.getByRole('heading', { name: 'Live keys' }).waitFor();
    expect(await memoryHolds(visit.page, testPassword)).toBe(false);
  });

  test('without JavaScript no browser writes a password into an address', async () => {
    const { page } = await open('/', { javaScriptEnabled: false });
    expect(await page.locator('form').last().getAttribute('method')).toBe('post');
    expect(await page.locator('form button[type=submit]').last().isDisabled()).toBe(true);
    expect(await page.locator('main').innerText()).toContain('needs JavaScript');
  });

  test('the page is sound as it is first seen', async () => {
    await expectSoundPage(await open('/'));
  });
});
