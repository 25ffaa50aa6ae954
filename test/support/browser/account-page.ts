import type { Page } from 'playwright-core';

/** What stands under one of the headings of the account page. */
export const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** As a reader takes it, whatever stands between its thousands. */
export const numberIn = (text: string) => Number(text.replace('−', '-').replaceAll(/[^\d-]/g, ''));

export const creditsShown = async (page: Page) =>
  numberIn(await part(page, 'To spend').locator('dd.large').first().innerText());
