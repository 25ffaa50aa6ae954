import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { phone } from './browser.js';
import { openDetails } from './open-details.js';

/** With all details open, nothing is wider than the screen. */
export async function expectFitsPhoneWhenOpened(page: Page): Promise<void> {
  await page.setViewportSize(phone);
  await openDetails(page);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(phone.width);
}
