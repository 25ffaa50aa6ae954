import type { Page } from 'playwright-core';
import { until } from '../until.js';

/** Waits until the focused element has a text, because a page moves the focus after it has rendered. */
export function untilFocused(page: Page, matches: (text: string) => boolean): Promise<string> {
  const focused = () => page.evaluate<string>("document.activeElement?.textContent ?? ''");
  return until('the expected element has the focus', focused, matches);
}
