import type { Page } from 'playwright-core';

/** Opens all `<details>`, so that their content is checked too. */
export async function openDetails(page: Page): Promise<void> {
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
}
