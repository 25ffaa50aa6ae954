import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Checks the page in its current state against all axe rules, including best practices. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  // Once a document: loading axe takes as long as running it.
  if (await page.evaluate<boolean>('typeof axe === "undefined"')) {
    // Evaluated over the DevTools protocol, which the page's Content-Security-Policy does not restrict.
    await page.evaluate(await readFile(axeFile, 'utf8'));
  }
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
  ).toEqual([]);
}
