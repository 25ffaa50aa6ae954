import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ReportView } from '../../../contract/reports.js';
import { desktop, phone } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs } from '../../support/browser/visit-as.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { showVersion, withUsualTexts } from './document-fixture.js';
import { printed } from './printed.js';

const service = await usePageService({ researchDeadlineMs: 20_000 });

/** Three outcomes with bets, forty outcomes, independent questions, two sides. */
const sampleIds = [
  'sample-ridge-derby-2031',
  'sample-expo-host-2031',
  'sample-oil-ladder-2031',
  'sample-harbour-cup-final-2031',
];
const [derby = ''] = sampleIds;

const sections = [
  'Estimate, council and market',
  'Verdict and bets',
  'Summary',
  'Why the market differs',
  'Base rates',
  'What would change this',
  'Sources',
  'Members',
  'How it is calculated',
];

/** What a buyer acts on, which a phone shows without a tap. */
const shownOnPhone = [0, 1, 3, 5].map(index => sections[index] ?? '');

/** The margin of a page has 34 points; a heading and two lines of what follows it need 32 more. */
const lowestHeadingPoints = 66;

describeInBrowser('a completed report, as a document', browser => {
  let caller: TestCaller;
  let reports: Record<string, ReportView>;
  beforeAll(async () => {
    caller = await service.newCaller(1_000);
    const bought = sampleIds.map(async sampleId => [sampleId, await caller.run(sampleId)] as const);
    reports = Object.fromEntries(await Promise.all(bought));
  });

  const reportOf = (sampleId: string) => {
    const report = reports[sampleId];
    if (report === undefined) throw new Error(`no report on ${sampleId}`);
    return report;
  };

  async function open(sampleId: string, { anchor = '', viewport = desktop } = {}) {
    const path = `/reports/${reportOf(sampleId).id}${anchor}`;
    const visit = await visitAs(browser, caller, path, { viewport });
    await visit.page.locator('#provenance').waitFor();
    return visit;
  }

  const titles = (page: Page) => page.locator('article').getByRole('heading', { level: 2 }).allInnerTexts();

  /** The lower edge of the last part that a buyer acts on, in pixels from the top of the page. */
  async function actedOnUntil(page: Page): Promise<number> {
    const parts = page.locator('.part', { has: page.locator('#triggers, #bets') });
    const { y, height } = (await parts.last().boundingBox()) ?? { y: Number.NaN, height: 0 };
    return y + height;
  }

  test('has its parts in the order in which they follow from each other, and leads to each', async () => {
    const visit = await open(derby);
    expect(await titles(visit.page)).toEqual(sections);
    const contents = visit.page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
    expect(await contents.allInnerTexts()).toEqual(sections);
    for (const link of await contents.all()) {
      const anchor = await link.getAttribute('href');
      expect([anchor, await visit.page.locator(`h2${anchor}`).count()]).toEqual([anchor, 1]);
    }
    // A wide screen has room for everything that a phone shows on a tap.
    expect(await visit.page.locator('.folded > details:not([open])').count()).toBe(0);
  });

  test.each(sampleIds)('on %s shows what a buyer acts on in three screens of a phone', async sampleId => {
    const visit = await open(sampleId, { viewport: phone });
    const { page } = visit;
    expect(await actedOnUntil(page)).toBeLessThanOrEqual(3 * phone.height);
    const folded = (await titles(page)).filter(
      title => !shownOnPhone.includes(title) && !title.startsWith('Council'),
    );
    expect(folded.length).toBeGreaterThanOrEqual(5);
    for (const title of folded) {
      const part = page.getByRole('region', { name: title, exact: true });
      expect(await part.locator('details').first().getAttribute('open')).toBeNull();
      // Its heading, and one line that says what is inside.
      expect((await part.innerText()).trim().split(/\n+/)).toEqual([title, expect.stringMatching(/\w/)]);
    }
    await page.getByRole('heading', { name: 'Members' }).click();
    await page.getByRole('table', { name: /^Moved: change by the review/ }).waitFor();
    await expectSoundPage(visit);
  });

  test('with texts of the usual length fits three screens and four pages', async () => {
    const { page } = await open(derby, { viewport: phone });
    await showVersion(page, withUsualTexts(reportOf(derby)));
    expect(await titles(page)).toEqual(sections);
    expect(await actedOnUntil(page)).toBeLessThanOrEqual(3 * phone.height);
    expect((await printed(page)).pages).toBeLessThanOrEqual(4);
  });

  test.each(['#deliberation', '#source-S1'])(
    'the address %s opens the part that it leads to',
    async anchor => {
      const { page } = await open(derby, { anchor, viewport: phone });
      const folded = page.locator('.folded > details', { has: page.locator(anchor) });
      expect(await folded.getAttribute('open')).not.toBeNull();
      expect(await page.locator('.folded > details[open]').count()).toBe(1);
    },
  );

  test.each(sampleIds)('%s is printed on two to four pages, with no heading left alone', async sampleId => {
    const { page } = await open(sampleId);
    const { pages, headings } = await printed(page);
    expect(pages).toBeGreaterThanOrEqual(2);
    expect(pages).toBeLessThanOrEqual(4);
    expect(headings.map(({ title }) => title)).toEqual(expect.arrayContaining(await titles(page)));
    expect(headings.filter(({ aboveEdge }) => aboveEdge < lowestHeadingPoints)).toEqual([]);
  });

  test('is printed without what is for a screen, and with what a phone folds', async () => {
    const { page } = await open(derby, { viewport: phone });
    await page.emulateMedia({ media: 'print' });
    for (const text of ['log estimate = ', 'Written by Claude, the chairman', 'Key uncertainties', 'k of n'])
      expect(await page.getByText(text).first().isVisible()).toBe(true);
    for (const role of ['navigation', 'button'] as const)
      expect(await page.getByRole(role).filter({ visible: true }).count()).toBe(0);
    const address = await page.evaluate<[string, string]>(
      `(() => { const link = document.querySelector('.source-title a');
        return [link.href, getComputedStyle(link, '::after').content]; })()`,
    );
    expect(address[1]).toBe(`" ${address[0]}"`);
  });
});
