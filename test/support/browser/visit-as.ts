import { type TestCaller, testPassword } from '../service/test-caller.js';
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
