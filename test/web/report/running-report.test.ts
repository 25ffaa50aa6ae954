import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { heartbeat } from '@temporalio/activity';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';

const patienceMs = 50_000;

describeInBrowser('a report that is being made', browser => {
  let service: TestService;
  /** Who thinks for as long as the test wants to look. */
  const held = { opinion: true, synthesis: true };
  const letGo = (what: keyof typeof held) =>
    until(
      `the ${what} may be given`,
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
          if (call.model === 'gpt') await letGo('opinion');
          return real.askOpinion(call);
        },
        askSynthesis: async call => {
          await letGo('synthesis');
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

  async function begin(eventId: string) {
    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy(eventId);
    const visit = await visitAs(browser, caller, `/reports/${body.report_id}`);
    const news = visit.page.getByRole('status').filter({ hasText: 'Opinions: 3 of 4 answered.' });
    await news.waitFor({ state: 'attached' });
    return { visit, news };
  }

  test('shows who has answered, outlives a reload and an outage, and becomes the report', async () => {
    const { visit, news } = await begin('sample-ridge-derby-2031');
    const { page, troubles } = visit;
    expect(await page.locator('.stage.now').innerText()).toMatch(/Opinions at work/);
    for (const name of ['Claude', 'Gemini', 'Grok'])
      expect(await page.locator('.answered').innerText()).toContain(name);
    await page.reload();
    await news.waitFor({ state: 'attached' });
    await page.route('**/api/reports/*', route => route.abort());
    // What was asked before the outage is still answered: as soon as there is anything new, or after the twenty seconds it asked for.
    held.opinion = false;
    await page.getByText('No news just now.').waitFor({ timeout: patienceMs });
    await page.unroute('**/api/reports/*');
    held.synthesis = false;
    await page.getByText('The report is ready.').waitFor({ state: 'attached' });
    await page.getByRole('heading', { name: 'Summary' }).waitFor();
    expect(await page.getByText('No news just now.').count()).toBe(0);
    expect(troubles).toEqual([]);
  });

  test('is sound to look at while the council is at work', async () => {
    const { visit } = await begin('sample-fed-cut-2031');
    await expectSoundPage(visit);
    expect(await visit.page.locator('.stage.now').count()).toBe(1);
  });
});
