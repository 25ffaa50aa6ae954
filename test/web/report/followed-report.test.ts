import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { usePageService } from '../../support/browser/use-page-service.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { longDeadlines } from '../../support/service/test-service.js';

const service = await usePageService({ researchDeadlineMs: 50_000, stageDeadlinesMs: longDeadlines });

describeInBrowser('how the page of a running report learns of changes', browser => {
  /** Opens the page of a run whose last opinion is held, without its stream if `isRefused`. */
  async function openRun(eventId: string, { isRefused }: { readonly isRefused: boolean }) {
    const release = service.simulator.hold({ model: 'gpt', stage: 'opinions' });
    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy(eventId);
    const { page, troubles } = await visitAs(browser, caller, '/reports');
    if (isRefused) await page.route('**/api/reports/*/events', route => route.abort());
    const held: string[] = [];
    page.on('request', request => {
      const { prefer } = request.headers();
      if (prefer !== undefined) held.push(prefer);
    });
    await page.goto(`${caller.url}/reports/${body.report_id}`);
    await says(page, 'Opinions: 3 of 4 answered.');
    return { page, troubles, held, release };
  }

  const says = (page: Page, text: string) =>
    page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' });

  test('by the event stream, without asking again and again', async () => {
    const { page, troubles, held, release } = await openRun('sample-ridge-derby-2031', { isRefused: false });
    const heldUntilOpen = held.length;
    release();
    await says(page, 'The report is ready.');
    expect(held.length).toBe(heldUntilOpen);
    expect(troubles).toEqual([]);
  });

  test('by readings that are held, where the stream does not arrive', async () => {
    const { page, held, release } = await openRun('sample-fed-cut-2031', { isRefused: true });
    release();
    await says(page, 'The report is ready.');
    expect(held).toContain('wait=5');
  });
});
