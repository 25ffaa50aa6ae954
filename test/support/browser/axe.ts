import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Holds the page as it is shown now against every rule of axe, best practices too. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  const source = await import('node:fs/promises').then(({ readFile }) => readFile(axeFile, 'utf8'));
  // Evaluated over the debugger's protocol, which the page's own policy does not bind.
  await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
  ).toEqual([]);
}
