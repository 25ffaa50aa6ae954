import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { phone } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { scriptCouncil } from '../../support/service/script-council.js';
import type { TestCaller } from '../../support/service/test-caller.js';
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
  'Sources',
  'Members',
  'How it is calculated',
];

/** An A4 page has margins of 40 points; a heading and two lines of what follows it need as much. */
const lowestHeadingPoints = 80;

describeInBrowser('a completed report, as a document', browser => {
  let caller: TestCaller;
  let reportIds: Record<string, number>;
  beforeAll(async () => {
    caller = await service.newCaller(1_000);
    scriptCouncil(service, { percents: { 'Eastmoor United': 55, Draw: 10, 'Wexley Rovers': 35 } });
    const first = [derby, (await caller.run(derby)).id] as const;
    service.simulator.clearFaults();
    const others = await Promise.all(
      sampleIds.slice(1).map(async sampleId => [sampleId, (await caller.run(sampleId)).id] as const),
    );
    reportIds = Object.fromEntries([first, ...others]);
  });

  async function open(sampleId: string, anchor = '', viewport?: { width: number; height: number }) {
    const path = `/reports/${reportIds[sampleId]}${anchor}`;
    const visit = await visitAs(browser, caller, path, viewport === undefined ? {} : { viewport });
    await visit.page.locator('#provenance').waitFor();
    return visit;
  }

  const titles = (page: Page) => page.locator('article').getByRole('heading', { level: 2 }).allInnerTexts();

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

  test.each(sampleIds)('%s fits three screens of a phone, with the rest one tap away', async sampleId => {
    const visit = await open(sampleId, '', phone);
    const { page } = visit;
    const { y = 0, height = 0 } = (await page.locator('.disclaimer').boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(3 * phone.height);
    for (const title of sections.slice(2)) {
      const part = page.getByRole('region', { name: title, exact: true });
      expect(await part.locator('details').first().getAttribute('open')).toBeNull();
      // Its heading, and one line that says what is inside.
      expect((await part.innerText()).trim().split(/\n+/)).toEqual([title, expect.stringMatching(/\w/)]);
    }
    await page.getByRole('heading', { name: 'Members' }).click();
    await page.getByRole('table', { name: /^Moved: change by the review/ }).waitFor();
    await expectSoundPage(visit);
  });

  test.each(['#deliberation', '#source-S1'])(
    'the address %s opens the part that it leads to',
    async anchor => {
      const { page } = await open(derby, anchor, phone);
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
    const { page } = await open(derby, '', phone);
    await page.emulateMedia({ media: 'print' });
    for (const text of ['log estimate = ', 'Written by Claude, the chairman', 'Key uncertainties'])
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
