import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { publishSample } from '../../../db/reports/reports.js';
import { desktop, phone } from '../../support/browser/browser.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { openDetails } from '../../support/browser/open-details.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { longDeadlines } from '../../support/service/test-service.js';

const patienceMs = 50_000;
const service = await usePageService({ researchDeadlineMs: patienceMs, stageDeadlinesMs: longDeadlines });

describeInBrowser('the page of a running report', browser => {
  /** Calls that wait until the test releases them. */
  let release: Record<'research' | 'opinion' | 'synthesis', () => void>;
  beforeEach(() => {
    const { simulator } = service;
    release = {
      research: simulator.hold({ model: 'grok', stage: 'research' }),
      opinion: simulator.hold({ model: 'gpt', stage: 'opinions' }),
      synthesis: simulator.hold({ stage: 'synthesis' }),
    };
  });
  afterEach(() => {
    for (const each of Object.values(release)) each();
  });

  /** The states of the listed stages. */
  const statesOf = (page: Page) => page.locator('.stage-state').allInnerTexts();

  /** Expects the stages beside each other, with no word outside its step. */
  async function expectOneLine(page: Page): Promise<void> {
    expect(await page.getByRole('list', { name: 'Stages' }).getByRole('listitem').count()).toBe(4);
    for (const width of [320, phone.width, desktop.width]) {
      await page.setViewportSize({ width, height: phone.height });
      const steps = await page.evaluate<{ top: number; overflows: boolean }[]>(
        `[...document.querySelectorAll('.stage')].map(each => (
          { top: each.getBoundingClientRect().top, overflows: each.scrollWidth > each.clientWidth }))`,
      );
      expect(steps).toEqual(steps.map(() => ({ top: steps[0]?.top, overflows: false })));
    }
  }

  test('shows who has answered, survives a reload and an outage, and becomes the report', async () => {
    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy('sample-ridge-derby-2031');
    const visit = await visitAs(browser, caller, `/reports/${body.report_id}`);
    const { page, troubles } = visit;
    const says = (text: string) =>
      page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });
    await says('Research: 2 of 3 answered.');
    expect(await statesOf(page)).toEqual(['2 of 3', 'next', 'next', 'next']);
    release.research();
    await says('Opinions: 3 of 4 answered.');
    expect(await statesOf(page)).toEqual(['done', '3 of 4', 'next', 'next']);
    expect(await page.locator('[aria-current=step]').allInnerTexts()).toEqual(['Opinions\n3 of 4']);
    for (const name of ['Claude', 'Gemini', 'Grok'])
      expect(await page.locator('.answered').innerText()).toContain(name);
    await expectOneLine(page);
    await expectSoundPage(visit);
    await page.reload();
    await says('Opinions: 3 of 4 answered.');
    // A run that does not search looks the same from here, and must not show a stage that never comes.
    expect(await statesOf(page)).toEqual(['3 of 4', 'next', 'next']);
    await page.route('**/api/reports/*', route => route.abort());
    // A request sent before the outage is still answered, after 5 seconds at the latest.
    release.opinion();
    await page.getByText('Cannot update.').waitFor({ timeout: patienceMs });
    await page.unroute('**/api/reports/*');
    release.synthesis();
    await page.getByText('The report is ready.').waitFor({ state: 'attached' });
    await page.getByRole('heading', { name: 'Summary' }).waitFor();
    expect(await page.getByText('Cannot update.').count()).toBe(0);
    expect(troubles).toEqual([]);
  });
});

describeInBrowser('the sample page', browser => {
  const status = async () =>
    (await fetch(`${service.url}/sample`, { headers: { accept: 'text/html' } })).status;

  test('answers 404 without a sample report, and can be read without JavaScript with one', async () => {
    expect(await status()).toBe(404);
    const none = await browser.visit(`${service.url}/sample`);
    await none.page.getByRole('heading', { name: 'Sample report not found' }).waitFor();
    await expectSoundPage(none);

    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy('sample-fed-cut-2031');
    const report = await caller.untilEnded(body.report_id);
    const published = { accountId: caller.accountId, reportId: report.id, now: new Date() };
    await publishSample(service.database.db, published);
    expect(await status()).toBe(200);

    const plain = await browser.visit(`${service.url}/sample`, { javaScriptEnabled: false });
    for (const folded of await plain.page.locator('.folded > details > summary').all()) await folded.click();
    const text = await plain.page.locator('main').innerText();
    for (const part of [
      report.event_title,
      'SIMULATED',
      report.council_config.runtime.most_likely_outcome,
      report.summary,
      report.deliberation.opinions[0].rationale,
      report.deliberation.evidence.items[0].domain,
      report.deliberation.evidence.items[0].text,
      report.disclaimer,
    ]) {
      expect(text).toContain(part);
    }
    await plain.page.getByText(report.record.hash).waitFor();
    expect(plain.troubles).toEqual([]);

    const hydrated = await browser.visit(`${service.url}/sample`);
    await openDetails(hydrated.page);
    await expectSoundPage(hydrated);
  });
});
