import { expect } from '@jest/globals';
import { expectNoAxeViolations } from './axe.js';
import { desktop, phone, type Visit } from './browser.js';

/**
 * What holds of every page in whatever it shows: on a desktop and a phone, light and dark, nothing is against the rules of axe,
 * nothing is wider than the screen, no hole in the data is shown as a word, and nothing went wrong on the way.
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

/** Colours do not depend on the width, nor the layout on the colours: two looks of the four show what all would. */
const looks = [
  [desktop, 'light'],
  [phone, 'dark'],
] as const;

async function widthOf(page: Visit['page']): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth');
}
