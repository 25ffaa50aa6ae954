import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadPageRenderer } from '../../api/pages/page-renderer.js';
import { projectFiles } from '../../config/project-files.js';
import { publishSample } from '../../db/reports/reports.js';
import { describeInBrowser } from '../support/browser/describe-in-browser.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { startTestService, type TestService } from '../support/service/test-service.js';

describeInBrowser('every page', browser => {
  let service: TestService;
  let caller: TestCaller;
  let addresses: Record<string, string>;

  beforeAll(async () => {
    service = await startTestService({ pages: await loadPageRenderer() });
    caller = await service.newCaller(1_000);
    const { body } = await caller.buy('sample-ridge-derby-2031');
    const { id: reportId } = await caller.untilEnded(body.report_id);
    const sample = { accountId: caller.accountId, reportId, now: new Date() };
    await publishSample(service.database.db, sample);
    addresses = {
      '/': '/',
      '/events/:eventId': '/events/sample-fed-cut-2031',
      '/sample': '/sample',
      '/reports': '/reports',
      '/reports/:id': `/reports/${reportId}`,
      '/track-record': '/track-record',
      '/account': '/account',
      '/keys': '/keys',
      '/sign-in': '/sign-in',
      '*': '/nowhere',
    };
  });
  afterAll(() => service.stop());

  /** Opens every page as a new visitor, and waits until it requests nothing more. */
  const visitAll = (visitor: { readonly cookie?: string }) =>
    Promise.all(
      Object.values(addresses).map(async path => {
        const visit = await browser.visit(service.url + path, visitor);
        await visit.page.waitForLoadState('networkidle');
        await visit.context.close();
        return { path, ...visit };
      }),
    );

  test('is visited here', async () => {
    const file = join(dirname(projectFiles.pageRenderer), 'app', 'pages.js');
    const { pages }: { pages: { path: string }[] } = await import(pathToFileURL(file).href);
    expect(pages.map(({ path }) => path)).toEqual(Object.keys(addresses));
  });

  test('shows a message, and its frame, if an answer has a shape that it does not know', async () => {
    const { page } = await browser.visit(`${service.url}/sign-in`, { cookie: caller.cookie });
    await page.route('**/api/reports?*', route => route.fulfill({ json: { reports: 'none' } }));
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByText('Something unexpected happened on this page.').waitFor();
    await page.getByRole('link', { name: 'Track record' }).first().click();
    await page.getByRole('heading', { name: 'Track record' }).waitFor();
  });

  test.each(['signed out', 'signed in'])(
    'writes nothing to the console of a visitor who is %s',
    async who => {
      const visits = await visitAll(who === 'signed in' ? { cookie: caller.cookie } : {});
      const messages = visits.flatMap(({ path, console }) => console.map(message => `${path}: ${message}`));
      // Only the document that does not exist answers 404, as it must.
      expect(messages).toEqual([expect.stringMatching(/^\/nowhere: .* 404 .*\/nowhere\)$/)]);
    },
  );
});
