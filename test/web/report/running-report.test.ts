import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { heartbeat } from '@temporalio/activity';
import type { Page } from 'playwright-core';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const patienceMs = 50_000;

describeInBrowser('the page of a running report', browser => {
  let service: TestService;
  /** Calls that wait until the test releases them. */
  const held = { research: true, opinion: true, synthesis: true };
  const released = (what: keyof typeof held) =>
    until(
      `the ${what} is released`,
      () => {
        heartbeat();
        return !held[what];
      },
      Boolean,
      patienceMs,
    );

  beforeAll(async () => {
    service = await startTestService({
      pages: await loadPageRenderer(),
      researchDeadlineMs: patienceMs,
      stageDeadlinesMs: { opinions: patienceMs, cross_review: patienceMs, synthesis: patienceMs },
      around: real => ({
        ...real,
        askResearch: async call => {
          if (call.model === 'grok') await released('research');
          return real.askResearch(call);
        },
        askOpinion: async call => {
          if (call.model === 'gpt') await released('opinion');
          return real.askOpinion(call);
        },
        askSynthesis: async call => {
          await released('synthesis');
          return real.askSynthesis(call);
        },
      }),
    });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    Object.assign(held, { research: true, opinion: true, synthesis: true });
  });
  afterEach(() => {
    Object.assign(held, { research: false, opinion: false, synthesis: false });
  });

  async function start(eventId: string) {
    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy(eventId);
    const visit = await visitAs(browser, caller, `/reports/${body.report_id}`);
    const status = visit.page.getByRole('status');
    await status.filter({ hasText: 'Looking things up: 2 of 3 answered.' }).waitFor({ state: 'attached' });
    expect(await statesOf(visit.page)).toEqual(['In progress', 'Up next', 'Up next', 'Up next']);
    held.research = false;
    const progress = status.filter({ hasText: 'Opinions: 3 of 4 answered.' });
    await progress.waitFor({ state: 'attached' });
    return { visit, progress };
  }

  /** The states of the listed stages. */
  const statesOf = (page: Page) => page.locator('.stage .pill').allInnerTexts();

  test('shows who has answered, survives a reload and an outage, and becomes the report', async () => {
    const { visit, progress } = await start('sample-ridge-derby-2031');
    const { page, troubles } = visit;
    expect(await statesOf(page)).toEqual(['Done', 'In progress', 'Up next', 'Up next']);
    expect(await page.locator('.stage.now').innerText()).toMatch(/Opinions In progress/);
    for (const name of ['Claude', 'Gemini', 'Grok'])
      expect(await page.locator('.answered').innerText()).toContain(name);
    await page.reload();
    await progress.waitFor({ state: 'attached' });
    // A run that does not search looks the same from here, and must not show a stage that never comes.
    expect(await statesOf(page)).toEqual(['In progress', 'Up next', 'Up next']);
    await page.route('**/api/reports/*', route => route.abort());
    // A request sent before the outage is still answered, after 5 seconds at the latest.
    held.opinion = false;
    await page.getByText('Cannot update.').waitFor({ timeout: patienceMs });
    await page.unroute('**/api/reports/*');
    held.synthesis = false;
    await page.getByText('The report is ready.').waitFor({ state: 'attached' });
    await page.getByRole('heading', { name: 'Summary' }).waitFor();
    expect(await page.getByText('Cannot update.').count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  test('is accessible while the run is in progress', async () => {
    const { visit } = await start('sample-fed-cut-2031');
    await expectSoundPage(visit);
    expect(await visit.page.locator('.stage.now').count()).toBe(1);
  });
});
