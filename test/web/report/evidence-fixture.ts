import type { Page } from 'playwright-core';
import type { EvidenceView } from '../../../contract/deliberation.js';
import type { ReportView } from '../../../contract/reports.js';

/** Two sources, of which the second has a date. */
export const evidence: EvidenceView = {
  status: 'searched',
  as_of: '2026-11-21T09:26:42.879Z',
  searches: 7,
  items: [
    {
      id: 'S1',
      text: 'The committee meets on 18 and 19 March 2031 and publishes its decision on the second day.',
      url: 'https://centralbank.example.org/calendar',
      domain: 'centralbank.example.org',
      title: 'Meeting calendar',
      published_at: null,
      retrieved_at: '2026-11-21T09:26:43.764Z',
      found_by: ['claude', 'gpt'],
    },
    {
      id: 'S2',
      text: 'Consumer prices rose 2.9 percent in the year to October.',
      url: 'https://statistics.example.org/prices/october',
      domain: 'statistics.example.org',
      title: 'Consumer prices in October',
      published_at: '2026-11-12',
      retrieved_at: '2026-11-21T09:26:43.592Z',
      found_by: ['grok'],
    },
  ],
  not_found: [{ text: 'a statement of <b>two</b> members.', searched_by: ['claude', 'grok'] }],
  removed: { market_sources: 2, odds_statements: 3, duplicates: 1, other: 0 },
  failures: {},
};

/** What a search must never lead to: a script, another host behind user information, markup, an endless word. */
export const hostileSources: EvidenceView['items'] = [
  { url: 'javascript:alert(1)', title: '<img src=x onerror=alert(1)>' },
  { url: 'https://statistics.example.org@evil.example/', title: null },
  { url: 'http://plain.example.org/', title: `[link](https://evil.example) ${'W'.repeat(300)}` },
].map((source, index) => ({
  ...source,
  id: `S${index + 3}`,
  text: '<script>alert(1)</script> **bold**',
  domain: 'evil.example',
  published_at: null,
  retrieved_at: '2026-11-21T09:26:57.120Z',
  found_by: ['grok'],
}));

/** Reloads the page of a report, which then shows it as if its members had searched and found this. */
export async function showWithEvidence(page: Page, report: ReportView, found: EvidenceView): Promise<void> {
  const searched = withEvidence(report, found);
  await page.route(`**/api/reports/${report.id}`, route => route.fulfill({ json: searched }));
  await page.reload();
  await page.getByRole('heading', { name: 'Sources' }).waitFor();
}

/** The same report as if its members had searched: each has one fact with the second source, and one without any. */
function withEvidence(report: ReportView, found: EvidenceView): ReportView {
  const { deliberation, council_config: config } = report;
  if (deliberation === null || config.runtime === null) throw new Error('the report has not completed');
  const facts = [
    ...(found.items.length === 0
      ? []
      : [{ fact: 'Prices rose by 2.9 percent.', sources: ['S2', 'S1', 'S2'] }]),
    { fact: 'Committees rarely cut early.', sources: [] },
  ];
  return {
    ...report,
    deliberation: {
      ...deliberation,
      opinions: deliberation.opinions.map(opinion => ({ ...opinion, evidence: facts })),
      evidence: found,
    },
    council_config: {
      ...config,
      runtime: {
        ...config.runtime,
        evidence: { status: found.status, items: found.items.length, sha256: 'e'.repeat(64) },
      },
    },
  };
}
