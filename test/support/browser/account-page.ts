import type { Page } from 'playwright-core';

/** A section of the account page, by its heading. */
export const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Parses a number with grouped thousands. */
export const numberIn = (text: string) => Number(text.replace('−', '-').replaceAll(/[^\d-]/g, ''));

export const creditsShown = async (page: Page) =>
  numberIn(await part(page, 'Balance').locator('dd.large').first().innerText());
