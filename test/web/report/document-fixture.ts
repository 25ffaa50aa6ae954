import type { Page } from 'playwright-core';
import type { ReportView } from '../../../contract/reports.js';
import { councilModels } from '../../../council/models.js';

type Deliberation = NonNullable<ReportView['deliberation']>;
type Runtime = NonNullable<ReportView['council_config']['runtime']>;

/** Opens the page of a report, which then shows another version of it. */
export async function showVersion(page: Page, report: ReportView): Promise<void> {
  await page.route(`**/api/reports/${report.id}`, route => route.fulfill({ json: report }));
  await page.reload();
  await page.locator('#provenance').waitFor();
}

/**
 * The report as language models write it, who fill most of the space that the prompts give them; a simulated member writes
 * a few words. Not simulated, so that it begins as a report that is sold.
 */
export function withUsualTexts(report: ReportView): ReportView {
  return {
    ...changed(report, { simulated: false }, ({ opinions, synthesis, evidence, ...rest }) => ({
      ...rest,
      opinions: opinions.map(opinion => ({
        ...opinion,
        rationale: words(220),
        rule: words(25),
        evidence: times(4, index => ({ fact: words(18), sources: index < 3 ? [`S${index + 1}`] : [] })),
        base_rates: opinion.base_rates.map(rate => ({ ...rate, reference_class: words(12) })),
        would_change: times(3, () => ({ if: words(12), by: '2031-02-11', to: 60 })),
      })),
      synthesis: synthesis === null ? null : { ...synthesis, summary: words(140), triggers: triggers() },
      evidence:
        evidence === null
          ? null
          : {
              ...evidence,
              items: times(10, index => ({
                id: `S${index + 1}`,
                text: words(45),
                url: `https://news.example.org/2031/02/${index}`,
                domain: 'news.example.org',
                title: words(8),
                published_at: '2031-02-01',
                retrieved_at: evidence.as_of,
                found_by: ['claude'],
              })),
            },
      market_gap: {
        model: 'gpt',
        model_id: 'gpt-6.1-sol',
        attempts: 1,
        latency_ms: 900,
        market_may_know: `Market: ${words(55)}`,
        council_may_know: `Council: ${words(55)}`,
      },
    })),
    simulated: false,
    summary: words(140),
  };
}

/** The report without what reports of 1.0.0 lack. */
export function asOfFirstRelease(report: ReportView): ReportView {
  const bets = report.council_config.runtime?.top_bets ?? [];
  const method = report.council_config.runtime?.method;
  const runtime = {
    subject: null,
    outside_view: [],
    resolution_risk: null,
    market_gap: null,
    top_bets: bets.map(bet => ({ ...bet, stake_fraction: null })),
    ...(method === undefined ? {} : { method: { ...method, name: 'council/1' } }),
  };
  return changed(report, runtime, ({ opinions, synthesis, ...rest }) => ({
    ...rest,
    opinions: opinions.map(opinion => ({
      ...opinion,
      rule: null,
      resolution_risk: null,
      base_rates: [],
      outside_view: null,
      subject: null,
      range: null,
      would_change: [],
      dropped: [],
    })),
    synthesis: synthesis === null ? null : { ...synthesis, triggers: [], dropped: [] },
    market_gap: null,
  }));
}

function changed(
  report: ReportView,
  runtime: Partial<Runtime>,
  change: (deliberation: Deliberation) => Deliberation,
): ReportView {
  const { council_config: config, deliberation } = report;
  if (deliberation === null || config.runtime === null) throw new Error('the report has not completed');
  return {
    ...report,
    council_config: { ...config, runtime: { ...config.runtime, ...runtime } },
    deliberation: change(deliberation),
  };
}

const triggers = () =>
  times(4, index => {
    const members = councilModels.slice(0, index + 1);
    return {
      if: words(12),
      by: `2031-02-1${index}`,
      direction: index % 2 === 0 ? ('up' as const) : ('down' as const),
      members,
      to: Object.fromEntries(members.map(model => [model, 60 + index])),
    };
  });

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const text =
  'the committee published its decision in October and members expect another meeting before spring';
const words = (count: number) => times(count, index => text.split(' ')[index % 15] ?? '').join(' ');
