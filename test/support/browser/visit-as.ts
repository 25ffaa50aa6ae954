import { type TestCaller, testPassword } from '../service/test-caller.js';
import type { TestBrowser, Visit, Visitor } from './browser.js';

/** Somebody who has signed in before comes to a page. */
export async function visitAs(
  { visit }: Pick<TestBrowser, 'visit'>,
  { url, cookie }: Pick<TestCaller, 'url' | 'cookie'>,
  path: string,
  like?: Visitor,
): Promise<Visit> {
  return visit(url + path, { ...like, cookie });
}

/** Fills in the sign-in that is before the visitor. */
export async function signIn(
  { page }: Pick<Visit, 'page'>,
  email: string,
  password = testPassword,
): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.locator('form button[type=submit]').click();
}
