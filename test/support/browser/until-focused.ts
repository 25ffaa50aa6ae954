import type { Page } from 'playwright-core';
import { until } from '../until.js';

/** Until what is wanted has the focus, told by its text: a page is drawn first, and moves the focus then. */
export function untilFocused(page: Page, isIt: (text: string) => boolean): Promise<string> {
  const focused = () => page.evaluate<string>("document.activeElement?.textContent ?? ''");
  return until('the focus is where it should be', focused, isIt);
}
