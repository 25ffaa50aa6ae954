import { expect } from '@jest/globals';
import { expectNoAxeViolations } from './axe.js';
import { desktop, phone, type Visit } from './browser.js';

/**
 * Expects what holds for every page in every state: on a desktop and a phone, light and dark, it satisfies
 * axe and fits the screen; it shows no `undefined` or `NaN`; and no script failed.
 */
export async function expectSoundPage({ page, troubles }: Visit): Promise<void> {
  for (const [viewport, colorScheme] of looks) {
    await page.setViewportSize(viewport);
    expect(await widthOf(page)).toBeLessThanOrEqual(viewport.width);
    await page.emulateMedia({ colorScheme });
    await expectNoAxeViolations(page);
  }
  expect(await page.locator('body').innerText()).not.toMatch(/undefined|NaN|\bnull\b|\[object|Infinity/);
  expect(await page.title()).toContain('Council Report');
  expect(troubles).toEqual([]);
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Two of four combinations, because colours and layout do not depend on each other. */
const looks = [
  [desktop, 'light'],
  [phone, 'dark'],
] as const;

async function widthOf(page: Visit['page']): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}
