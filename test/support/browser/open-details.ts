import type { Page } from 'playwright-core';

/** Unfolds everything that is folded away, so that it is looked at too. */
export async function openDetails(page: Page): Promise<void> {
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
}
