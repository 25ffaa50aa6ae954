import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import { describeInBrowser } from '../../support/browser/describe-in-browser.js';
import { expectSoundPage } from '../../support/browser/expect-sound-page.js';
import { visitAs } from '../../support/browser/visit-as.js';
import { createSampleEventCopies } from '../../support/record/sample-event-copies.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { longDeadlines, startTestService, type TestService } from '../../support/service/test-service.js';

const events = createSampleEventCopies();
const derby = 'sample-ridge-derby-2031';

describeInBrowser('the list of reports', browser => {
  let service: TestService;
  const open = (caller: TestCaller, query = '') => visitAs(browser, caller, `/reports${query}`);

  beforeAll(async () => {
    service = await startTestService({
      markets: events,
      pages: await loadPageRenderer(),
      stageDeadlinesMs: longDeadlines,
    });
  });
  afterAll(() => service.stop());
  afterEach(() => service.simulator.clearFaults());

  /** Inserts failed runs of the account directly into the tables. */
  async function plantFailed(caller: TestCaller, eventId: string, count: number): Promise<void> {
    await service.database.pool.query(
      `with failed as (
         insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed,
           failure_code, created_at, ended_at)
         select $1, $2, 'Planted ' || place, date '2000-01-01' + place, 'test', 'subscription', true, 'failed', 's',
           'internal', $4, $4
         from generate_series(1, $3::int) as place returning id)
       insert into report_purchases (id, account_id, state, kind, report_id, lane, credits, created_at)
       select gen_random_uuid(), $1, 'charged', 'fresh', id, 'subscription', 0, $4 from failed`,
      [caller.accountId, eventId, count, new Date('2020-01-01')],
    );
  }

  test('explains what to do when it is empty', async () => {
    const visit = await open(await service.newCaller());
    await visit.page.getByRole('heading', { name: 'No reports yet' }).waitFor();
    await expectSoundPage(visit);
    await visit.page.locator('main').getByRole('link', { name: 'Search the events' }).click();
    await visit.page.waitForURL(`${service.url}/`);
  });

  test('shows the verdict, the payment and the simulation of each report', async () => {
    const eventId = events.retell(derby);
    const first = await service.newCaller(1_000);
    await first.untilEnded((await first.buy(eventId)).body.report_id);
    const caller = await service.newCaller(1_000);
    const report = await caller.untilEnded((await caller.buy(eventId)).body.report_id);
    const visit = await open(caller);
    const row = visit.page.locator('.report-row');
    await row.waitFor();
    const verdict = { BUY_YES: 'Buy YES', BUY_NO: 'Buy NO', SKIP: 'Skip' }[String(report.action)];
    expect(await row.innerText()).toContain(
      `${verdict} on “${report.queried_market}”: ${report.probability}\u00a0% for YES, confidence ${report.confidence}`,
    );
    expect(await row.innerText()).toMatch(/simulated[^]*Half price, paid with credits/);
    await expectSoundPage(visit);
    await row.getByRole('link').click();
    await visit.page.waitForURL(`${service.url}/reports/${report.id}`);
  });

  test('marks a running report and updates it when it completes', async () => {
    const caller = await service.newCaller(1_000);
    const release = service.simulator.hold({ stage: 'synthesis' });
    await caller.buy(events.retell(derby));
    const { page } = await open(caller);
    await page.locator('.report-row .pill', { hasText: 'running' }).waitFor();
    release();
    await page.locator('.report-row', { hasText: 'confidence' }).waitFor();
    expect(await page.locator('.pill', { hasText: 'running' }).count()).toBe(0);
  });

  test('a long list has pages and can be filtered by status', async () => {
    const eventId = events.retell(derby);
    const caller = await service.newCaller(1_000);
    await caller.untilEnded((await caller.buy(eventId)).body.report_id);
    await plantFailed(caller, eventId, 24);
    const visit = await open(caller);
    const { page } = visit;
    const rows = page.locator('.report-row');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(20);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2').waitFor();
    await page.getByRole('link', { name: 'Completed' }).click();
    await page.waitForURL(/status=completed$/);
    await page.locator('.report-row', { hasText: 'Ridge Derby' }).waitFor();
    await page.getByRole('link', { name: 'Failed' }).click();
    await page.waitForURL(/status=failed$/);
    await page.locator('.report-row.failed').first().waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL(/status=failed&page=2$/);
    await expectSoundPage(visit);
    await page.getByRole('link', { name: 'Running' }).click();
    await page.getByText('You have no running reports.').waitFor();
    await page.goto(`${service.url}/reports?page=9`);
    await page.getByRole('link', { name: 'See the newest reports' }).waitFor();
    await expectSoundPage(visit);
  });
});
