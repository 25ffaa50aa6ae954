import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { withoutTool } from '../without-tool.js';
import { chromiumPath, openBrowser, type TestBrowser, type Visit } from './browser.js';

const isRequired = process.env['CI_BROWSER'] === 'required';
const noBrowser = 'Chromium not found: set CHROMIUM_PATH or install the package chromium-headless-shell';

/**
 * Tests in a real browser. Without one they are skipped with a message; with `CI_BROWSER=required` they fail
 * instead, so that CI cannot skip them unnoticed.
 */
export function describeInBrowser(name: string, body: (browser: Pick<TestBrowser, 'visit'>) => void): void {
  if (chromiumPath === null) {
    describe(name, () => withoutTool(name, { tool: 'a browser', reason: noBrowser, isRequired }));
    return;
  }
  describe(name, () => {
    let opened: TestBrowser | undefined;
    let visits: Visit[] = [];
    beforeAll(async () => {
      opened = await openBrowser();
    });
    afterAll(() => opened?.close());
    // A page that stays open goes on polling, and draws the report that ends meanwhile.
    afterEach(async () => {
      const ended = visits;
      visits = [];
      await Promise.all(ended.map(({ context }) => context.close()));
    });
    body({
      visit: async (url, visitor) => {
        if (opened === undefined) throw new Error('the browser is not open yet');
        const visit = await opened.visit(url, visitor);
        visits.push(visit);
        return visit;
      },
    });
  });
}
