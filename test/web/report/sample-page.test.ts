import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { publishSample } from '../../../db/reports/reports.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { openDetails } from '../../support/browser/open-details.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

describeInBrowser('the sample page', browser => {
  let service: TestService;
  const status = async () =>
    (await fetch(`${service.url}/sample`, { headers: { accept: 'text/html' } })).status;

  beforeAll(async () => {
    service = await startTestService({ pages: await loadPageRenderer(), researchDeadlineMs: 8_000 });
  });
  afterAll(() => service.stop());

  test('answers 404 without a sample report, and can be read without JavaScript with one', async () => {
    expect(await status()).toBe(404);
    const none = await browser.visit(`${service.url}/sample`);
    await none.page.getByRole('heading', { name: 'Sample report not found' }).waitFor();
    await expectSoundPage(none);

    const caller = await service.newCaller(1_000);
    const { body } = await caller.buy('sample-ridge-derby-2031');
    const report = await caller.untilEnded(body.report_id);
    await publishSample(service.database.db, {
      accountId: caller.accountId,
      reportId: report.id,
      now: new Date(),
    });
    expect(await status()).toBe(200);

    const plain = await browser.visit(`${service.url}/sample`, { javaScriptEnabled: false });
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
    await plain.page.getByText('Method, models and record').click();
    await plain.page.getByText(report.record.hash).waitFor();
    expect(plain.troubles).toEqual([]);

    const hydrated = await browser.visit(`${service.url}/sample`);
    await openDetails(hydrated.page);
    await expectSoundPage(hydrated);
  });
});
