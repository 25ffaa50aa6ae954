import { type TestCaller, testPassword } from '../service/test-caller.js';
import type { TestService } from '../service/test-service.js';
import type { TestBrowser, Visit, Visitor } from './browser.js';

/** Opens a page as a signed-in member. */
export async function visitAs(
  { visit }: Pick<TestBrowser, 'visit'>,
  { url, cookie }: Pick<TestCaller, 'url' | 'cookie'>,
  path: string,
  visitor?: Visitor,
): Promise<Visit> {
  return visit(url + path, { ...visitor, cookie });
}

/** Opens a page as a new member. */
export async function visitAsNew(
  browser: Pick<TestBrowser, 'visit'>,
  service: Pick<TestService, 'newCaller'>,
  path: string,
  ...member: Parameters<TestService['newCaller']>
): Promise<Visit & { readonly caller: TestCaller }> {
  const caller = await service.newCaller(...member);
  return { caller, ...(await visitAs(browser, caller, path)) };
}

/** Fills in and submits the form of the sign-in page. */
export async function signIn(
  { page }: Pick<Visit, 'page'>,
  email: string,
  password = testPassword,
): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.locator('form button[type=submit]').click();
}
