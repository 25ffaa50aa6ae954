import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { heartbeat } from '@temporalio/activity';
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
  const held = { opinion: true, synthesis: true };
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
      stageDeadlinesMs: { opinions: patienceMs, cross_review: patienceMs, synthesis: patienceMs },
      around: real => ({
        ...real,
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
    Object.assign(held, { opinion: true, synthesis: true });
  });
  afterEach(() => {
    Object.assign(held, { opinion: false, synthesis: false });
  });

  async function start(eventId: string) {
    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy(eventId);
    const visit = await visitAs(browser, caller, `/reports/${body.report_id}`);
    const progress = visit.page.getByRole('status').filter({ hasText: 'Opinions: 3 of 4 answered.' });
    await progress.waitFor({ state: 'attached' });
    return { visit, progress };
  }

  test('shows who has answered, survives a reload and an outage, and becomes the report', async () => {
    const { visit, progress } = await start('sample-ridge-derby-2031');
    const { page, troubles } = visit;
    expect(await page.locator('.stage.now').innerText()).toMatch(/Opinions In progress/);
    for (const name of ['Claude', 'Gemini', 'Grok'])
      expect(await page.locator('.answered').innerText()).toContain(name);
    await page.reload();
    await progress.waitFor({ state: 'attached' });
    await page.route('**/api/reports/*', route => route.abort());
    // A request sent before the outage is still answered, after 20 seconds at the latest.
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
