import { afterAll } from '@jest/globals';
import { loadPageRenderer } from '../../../api/pages/page-renderer.js';
import type { Pairs } from '../../../markets/pairs.js';
import { startVenues } from '../../../simulator/venues/start-venues.js';
import { ToolUser } from '../../mcp/support/clients.js';
import { startProxy } from '../../mcp/support/proxy.js';
import { council } from '../../support/service/council-command.js';
import { scriptCouncil } from '../../support/service/script-council.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

/** A service that sells reports on the events of both simulated venues, and all the ways in which a customer sees it. */
export async function useSurfaces({ pairs }: { readonly pairs?: Pairs } = {}) {
  const venues = await startVenues({ now: Date.now });
  const pages = await loadPageRenderer();
  const service = await useTestService({
    pages,
    ...(pairs === undefined ? {} : { pairs }),
    venueSettings: {
      MARKETS: ['polymarket', 'kalshi'],
      POLYMARKET_GAMMA_URL: venues.gammaUrl,
      POLYMARKET_DATA_URL: venues.dataUrl,
      POLYMARKET_CLOB_URL: venues.clobUrl,
      KALSHI_API_URL: venues.kalshiUrl,
    },
  });
  const proxy = await startProxy(service.url);
  afterAll(async () => {
    await Promise.all([venues.close(), proxy.close()]);
  });
  return {
    service,
    venues,
    /** The HTML of a public page, as the server renders it. */
    page: async (path: string) => {
      const answer = await fetch(service.url + path, { headers: { accept: 'text/html' } });
      return answer.text();
    },
    /**
     * The HTML of a report. Its page is private, so that only the browser of its owner draws it; the server draws the
     * public sample report by the same component.
     */
    reportPage: async (report: unknown) => {
      proxy.onRequest = what =>
        what === 'GET /api/reports/sample' ? { status: 200, body: JSON.stringify(report) } : 'forward';
      return (await pages.render('/sample', proxy.url, {}, null)).html;
    },
    command: ({ key }: TestCaller, ...args: readonly string[]) =>
      council(args, { COUNCIL_API_KEY: key, COUNCIL_BASE_URL: service.url }),
    tools: ({ key }: TestCaller) => ToolUser.overHttp(service.url, { authorization: `Bearer ${key}` }),
    /** Makes every member give these percentages, in the order of the outcomes. */
    script: (percents: readonly number[]) => {
      service.simulator.clearFaults();
      const byPlace = percents.map((percent, place) => [String(place), percent] as const);
      scriptCouncil(service, { percents: Object.fromEntries(byPlace) });
    },
  };
}

/** The words on a page, with a `|` wherever there is markup between them. */
export function wordsOf(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replaceAll('<!-- -->', '')
    .replace(/<[^>]*>/g, '|')
    .replace(/\|+/g, '|')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}
