import { describe, expect, test } from '@jest/globals';
import { reportMarkdown } from '../../../contract/report-text/report-markdown.js';
import type { ReportView } from '../../../contract/reports.js';
import { failedExample, reportExample, researchingExample } from '../../support/expect/examples.js';
import { asOfFirstRelease } from '../../web/report/document-fixture.js';

const { council_config, deliberation, market_snapshot } = reportExample;
const { runtime } = council_config;
if (runtime === null || deliberation === null || market_snapshot === null) throw new Error('it is completed');

const withRuntime = (changes: Partial<typeof runtime>): ReportView => ({
  ...reportExample,
  council_config: { ...council_config, runtime: { ...runtime, ...changes } },
});

describe('a report in Markdown', () => {
  test('begins with its heading, says at once that it is simulated, and names each number once', () => {
    const text = reportMarkdown(reportExample, []);
    const [heading, simulated] = text.split('\n');
    expect(heading).toBe(`# Report ${reportExample.id}: ${reportExample.event_title}`);
    expect(simulated).toBe('SIMULATED: no language model was called.');
    const [council, market, estimate] = [
      runtime.market_probabilities,
      runtime.market_implied_probabilities,
      runtime.estimate?.probabilities,
    ].map(probabilities => `${probabilities?.['No']} %`);
    const beside = `(council, without seeing a price: ${council?.slice(0, -2)}; market: ${market?.slice(0, -2)})`;
    expect(text).toContain(`- Most likely: **No**. Estimate ${estimate} ${beside}.`);
    expect(text).toMatch(
      /^\| Outcome, % \| estimate \| council \| market \|\n\| -+ \| -+: \| -+: \| -+: \|\n\| No /m,
    );
    const [pick] = text.match(/^- Pick .*$/m) ?? [];
    const edge = `edge ${runtime.top_bets[0]?.edge_points} points`;
    expect(pick).toContain(`wins with ${estimate} (estimate), council ${council}, market ${market}: ${edge}`);
    expect(text.endsWith(`\n\n${reportExample.disclaimer}`)).toBe(true);
  });

  test.each([
    [-0.004, '+0.00'],
    [-0.006, '-0.01'],
    [0.02, '+0.02'],
  ])('rounds a return of %d dollars to %s, without a sign that nothing is behind', (dollars, text) => {
    const top_bets = runtime.top_bets.map(bet => ({ ...bet, expected_return_per_dollar: dollars }));
    expect(reportMarkdown(withRuntime({ top_bets }), [])).toContain(`a dollar returns ${text} on average`);
  });

  test('says how much to stake, what that is, and that it is no advice; nothing of it in a report of 1.0.0', () => {
    const withStake = (stake_fraction: number | null) => {
      const top_bets = runtime.top_bets.map(bet => ({ ...bet, stake_fraction }));
      return reportMarkdown(withRuntime({ top_bets }), []);
    };
    expect(withStake(0.0387)).toMatch(/^- Pick .* Stake 3\.87 % of a bankroll\.$/m);
    expect(withStake(0)).toMatch(/^- Pick .* Stake 0 % of a bankroll\.$/m);
    expect(withStake(0)).toMatch(/^- Stake: .* Arithmetic, not advice\.$/m);
    expect(withStake(null)).not.toMatch(/stake/i);
  });

  test('names its entry of the record in every state, once there is one', () => {
    const record = { seq: 12, hash: 'abc' };
    for (const report of [reportExample, failedExample, researchingExample]) {
      expect(reportMarkdown({ ...report, record }, [])).toContain('\n\nRecord: entry 12, abc\n');
      expect(reportMarkdown({ ...report, record: null }, [])).not.toContain('Record:');
    }
  });

  const headings = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  const actedOn = [
    'Estimate, council and market',
    'Verdict and bets',
    'Summary by the chairman, claude',
    'Base rates',
    'What would change this',
    'Sources',
  ];

  test('always has what a buyer acts on, in the order of the page; the rest only in the requested sections', () => {
    expect(headings(reportMarkdown(reportExample, []))).toEqual(actedOn);
    expect(headings(reportMarkdown(reportExample))).toEqual([
      ...actedOn,
      'Opinions, formed without seeing a price',
      'Cross-review, anonymous',
      'Ranking by the others',
      `Market at ${market_snapshot.taken_at}`,
      'The rules as sold',
      `How it is calculated (${runtime.method.name})`,
    ]);
    const short = reportMarkdown(reportExample, []);
    for (const ofSection of ['- agreed: ', '- S1 ', '> Simulated rationale'])
      expect(short).not.toContain(ofSection);
    expect(reportMarkdown(reportExample, ['synthesis'])).toContain('\n\n- agreed: ');
  });

  test('of release 1.0.0 has no part for what its members were not asked', () => {
    const text = reportMarkdown(asOfFirstRelease(reportExample));
    expect(headings(text)).not.toContain('Base rates');
    expect(headings(text)).not.toContain('What would change this');
    expect(text).not.toMatch(/resolution risk|outside view|further day|The rule:|null|undefined/i);
  });

  test('names the sources of a fact if they are shown, by id', () => {
    const { evidence } = deliberation;
    const items = evidence?.items.map(source => ({ ...source, published_at: null })) ?? [];
    const undated = { ...deliberation, evidence: evidence && { ...evidence, items } };
    const [item] = items;
    const opinions = reportMarkdown({ ...reportExample, deliberation: undated }, ['opinions']);
    expect(opinions).toContain(`- S1 ${item?.domain}, undated: `);
    expect(reportMarkdown(reportExample, ['sources'])).toContain(` <${item?.url}> Found by `);
    expect(reportMarkdown(reportExample, ['sources'])).toMatch(/^\| claude \|.*\(S1\) \|$/m);
    expect(reportMarkdown(reportExample, [])).toMatch(/^\| claude \|.*\(cited\) \|$/m);
    expect(reportMarkdown(reportExample, [])).not.toMatch(/\bS\d/);
  });

  test('leads from base rates to the estimate, and names what would change it with the members’ numbers', () => {
    const [opinion] = deliberation.opinions;
    const [rate] = opinion?.base_rates ?? [];
    const [view] = runtime.outside_view;
    const [trigger] = deliberation.synthesis?.triggers ?? [];
    const text = reportMarkdown(reportExample, []);
    expect(text).toMatch(
      new RegExp(`^\\| claude \\| ${rate?.k} of ${rate?.n} \\(.*\\) +\\| +${rate?.rate} \\| `, 'm'),
    );
    expect(text).toContain(
      `- “Yes”: outside view ${view?.probability} % (claude ${opinion?.outside_view?.probability}, `,
    );
    expect(text).toContain(` → estimate ${runtime.estimate?.probabilities['Yes']} %.`);
    expect(text).toContain(
      `- More likely if by ${trigger?.by}: ${trigger?.if} (claude ${trigger?.to.claude} %, `,
    );
    expect(text).toContain(`- Resolution risk ${runtime.resolution_risk} %: `);
  });

  test('says behind the summary why council and market differ, by whom and how, or that it was lost', () => {
    const gap = { outcome: 'Yes', council: 39.8, market: 52, points: 12.2 };
    const apart = withRuntime({ market_gap: gap });
    const reasons = { market_may_know: 'A\nstatement', council_may_know: 'The rules.' };
    const explained = {
      ...apart,
      deliberation: {
        ...deliberation,
        market_gap: { model: 'gpt', model_id: 'x', attempts: 1, latency_ms: 1, ...reasons } as const,
      },
    };
    const text = reportMarkdown(explained, []);
    expect(headings(text)[3]).toBe('Why the market differs');
    expect(text).toContain(
      'On “Yes” the council says 39.8 %, the market 52 %: 12.2 points apart. Written by gpt with',
    );
    expect(text).toContain(
      '\n\n- What the market may know: A statement.\n- What the council may know: The rules.\n',
    );
    const lost = reportMarkdown({ ...apart, deliberation: { ...deliberation, market_gap: null } }, []);
    expect(lost).toContain('12.2 points apart. The explanation was lost.\n\n## Base rates');
    expect(headings(reportMarkdown(reportExample, []))).not.toContain('Why the market differs');
  });

  test('names the outcome of each base rate where members speak of several, and what is missing', () => {
    const [first, second] = deliberation.opinions;
    if (first === undefined || second === undefined) throw new Error('the example has opinions');
    const several = {
      ...deliberation,
      opinions: [
        { ...first, outside_view: { outcome: 'No', probability: 60 } },
        { ...second, outside_view: null, dropped: ['outside_view: was not given'] },
      ],
    };
    const text = reportMarkdown({ ...reportExample, deliberation: several }, ['opinions']);
    expect(text).toMatch(/^\| Member \| outcome +\| k of n/m);
    expect(text).toMatch(/^\| claude \| No +\| /m);
    expect(text).toMatch(/^\| \w+ +\| not said \| /m);
    expect(text).toContain('- Missing: outside_view: was not given.');
  });

  test('lists what was searched for and not found behind the sources, and only with them', () => {
    const { evidence } = deliberation;
    const lines = [{ text: 'A *filing* with <b>markup</b>.', searched_by: ['grok' as const] }];
    const searched = {
      ...reportExample,
      deliberation: { ...deliberation, evidence: evidence && { ...evidence, not_found: lines } },
    };
    const text = reportMarkdown(searched, ['sources']);
    expect(text).toMatch(
      /not found, which proves nothing:\n\n- A \\\*filing\\\* with \S+markup\S+\. Searched by grok\.\n/,
    );
    expect(reportMarkdown(searched, ['opinions'])).not.toContain('not found');
    const silent = { ...evidence, not_found: undefined };
    const without = { ...searched, deliberation: { ...deliberation, evidence: evidence && silent } };
    expect(reportMarkdown(without as typeof searched, ['sources'])).not.toContain('not found');
  });

  test('names the limits of the report before the verdict: conflict, lost members, missing evidence', () => {
    const nothing = { searches: 3, status: 'none', items: [], failures: {} } as const;
    const limited = {
      ...withRuntime({ consensus_market_conflict: true, degraded: true }),
      deliberation: {
        ...deliberation,
        evidence: deliberation.evidence && { ...deliberation.evidence, ...nothing },
      },
    };
    const text = reportMarkdown(limited, []);
    const places = ['- CONFLICT: ', '- DEGRADED: ', '- NO EVIDENCE: ', '- Most likely: '].map(label =>
      text.indexOf(label),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(reportMarkdown(reportExample, [])).not.toMatch(/CONFLICT|DEGRADED|NO EVIDENCE/);
  });

  test.each([
    [{ consensus_market_conflict: true }, 'council and market are in conflict'],
    [{ estimate: null, estimate_missing: 'no_price' as const }, 'there is no estimate to price one by'],
    [
      { bets_missing: 'unknown_fee' as const },
      'the venue’s fee is of a kind that is not known here, so no bet can be priced',
    ],
    [{ quote_age_seconds: 301 }, 'the prices were too old when the report was completed'],
    [{}, 'no price is wrong by enough'],
  ])('without bets says why: %j', (changes, reason) => {
    const text = reportMarkdown(withRuntime({ top_bets: [], ...changes }), []);
    expect(text).toContain(`\n- No bet is suggested: ${reason}.\n`);
  });

  test('that runs or has failed says how far it is, or why', () => {
    expect(reportMarkdown(researchingExample)).toMatch(
      /\n\nStage research: \d of \d models have answered\.$/,
    );
    expect(reportMarkdown(failedExample)).toContain(`FAILED: ${failedExample.failure?.detail}`);
  });
});
