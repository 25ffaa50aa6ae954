import type { TestBrowser, Visit, Visitor } from './browser.js';
import { type TestCaller, testPassword } from './test-caller.js';

/** Somebody who is signed in comes to a page. */
export async function visitAs(
  { visit }: Pick<TestBrowser, 'visit'>,
  { url, email }: Pick<TestCaller, 'url' | 'email'>,
  path: string,
  like?: Visitor,
): Promise<Visit> {
  const visited = await visit(`${url}/sign-in?to=${encodeURIComponent(path)}`, like);
  await signIn(visited, email);
  await visited.page.waitForURL(url + path);
  return visited;
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
