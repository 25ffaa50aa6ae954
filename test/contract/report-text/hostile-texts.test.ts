import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { escapedLine } from '../../../contract/report-text/markdown.js';
import { reportMarkdown } from '../../../contract/report-text/report-markdown.js';
import type { ReportView } from '../../../contract/reports.js';
import { reportExample } from '../../support/expect/examples.js';

const { council_config, deliberation, market_snapshot } = reportExample;
const { runtime } = council_config;
if (runtime === null || deliberation === null || market_snapshot === null) throw new Error('it is completed');

test('a report in Markdown turns what a market, a model or a source wrote into text: no heading, list, table, link, HTML or code of its own', () => {
  const plain = outlineOf(reportMarkdown(saying('X')));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.constantFrom(...attacks),
        fc.string({ unit: 'binary', maxLength: 80 }).map(text => `${text}X`),
      ),
      text => {
        expect(
          outlineOf(reportMarkdown(saying(text.replaceAll(/[\r\n\v\f\u0085\u2028\u2029]/g, ' ')))),
        ).toEqual(plain);
      },
    ),
  );
  const forged = reportMarkdown({ ...reportExample, summary: 'Calm.\n# Report 9\n\n- Verdict: BUY_YES' });
  expect(forged).toContain('> Calm.\n> \\# Report 9\n>\n> \\- Verdict: BUY_YES');
});

test('a line of Markdown keeps names readable', () => {
  expect(escapedLine('weekly_grant is 2.9 % (S2), says A&B: "no".')).toBe(
    'weekly_grant is 2.9 % (S2), says A&B: "no".',
  );
  expect(escapedLine('Peru\nVerdict [here](https://evil.example) <b>')).toBe(
    'Peru Verdict \\[here\\](https\\://evil.example) \\<b>',
  );
});

const attacks = [
  '# heading',
  '- item',
  '1. item',
  '> quote',
  '| cell | cell |',
  '--- | ---',
  '===',
  '```js',
  '~~~',
  '[text](https://evil.example)',
  '![image](https://evil.example/x.png)',
  '[S1]: https://evil.example',
  '<https://evil.example>',
  'https://evil.example',
  'www.evil.example',
  'a@evil.example',
  '<img src=x onerror=alert(1)>',
  '&lt;b&gt; &#60;',
  '*em* **strong** _em_ ~~no~~ `code`',
  '\\',
];

/** The report with this text wherever a market, a model or a source has one. */
function saying(text: string): ReportView {
  const outcomes = [{ outcome: text, probability: 60 }];
  const evidence = deliberation?.evidence ?? null;
  return {
    ...reportExample,
    council_config: {
      ...council_config,
      runtime: runtime && {
        ...runtime,
        most_likely_outcome: text,
        market_probabilities: { [`${text} `]: 60 },
        subject: text,
        market_gap: { outcome: text, council: 60, market: 50, points: 10 },
        outside_view: [{ outcome: text, probability: 60, members: ['claude'] }],
        top_bets: (runtime?.top_bets ?? []).map(bet => ({ ...bet, market: text })),
      },
    },
    event_title: text,
    event_id: text,
    queried_market: text,
    summary: text,
    deliberation: deliberation && {
      opinions: deliberation.opinions.map((opinion, index) => ({
        ...opinion,
        distribution: outcomes,
        rationale: text,
        evidence: [{ fact: text, sources: ['S1'] }],
        rule: text,
        subject: text,
        outside_view: { outcome: index === 0 ? text : 'Yes', probability: 60 },
        base_rates: opinion.base_rates.map(rate => ({ ...rate, reference_class: text, period: text })),
        would_change: opinion.would_change.map(change => ({ ...change, if: text })),
        dropped: [text],
      })),
      cross_review: {
        ...deliberation.cross_review,
        reviews: deliberation.cross_review.reviews.map(review => ({
          ...review,
          revised_distribution: outcomes,
          critiques: review.critiques.map(each => ({ ...each, strengths: text, weaknesses: text })),
        })),
      },
      positions: deliberation.positions.map(each => ({ ...each, dissents: true, most_likely_outcome: text })),
      synthesis: deliberation.synthesis && {
        ...deliberation.synthesis,
        agreements: [text],
        disagreements: [text],
        key_uncertainties: [text],
        triggers: deliberation.synthesis.triggers.map(trigger => ({ ...trigger, if: text })),
      },
      market_gap: {
        model: 'gpt',
        model_id: text,
        attempts: 1,
        latency_ms: 1,
        market_may_know: text,
        council_may_know: text,
      },
      evidence: evidence && {
        ...evidence,
        not_found: [{ text, searched_by: ['grok'] }],
        items: evidence.items.map(each => ({ ...each, text, domain: text })),
      },
    },
    market_snapshot: market_snapshot && {
      ...market_snapshot,
      rules: text,
      settlement_sources: [{ name: text, url: 'https://weather.example' }],
      markets: market_snapshot.markets.flatMap(each => [
        { ...each, market: text, early_close: text },
        { ...each, market: text, rules: `${text} or more` },
      ]),
    },
  };
}

/** Of each line, how it begins and which characters of it Markdown obeys. */
function outlineOf(markdown: string): string[] {
  return markdown.split('\n').map(line => {
    const obeyed = line.replace(/\\[!-/:-@[-`{-~]/g, '');
    const begin = /^(?:\||(?:#+ |[-+*] |\d+[.)] |> ?| {2})*)/.exec(obeyed)?.[0].trimEnd() ?? '';
    const inline = obeyed.replace(/(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])/gu, '').match(/[*_`<[|~]/g) ?? [];
    const entities = obeyed.match(/&#?\w+;|\bwww\.|\b(?:ftp|mailto):|https?:/gi) ?? [];
    return [begin, ...inline, ...entities].join(' ');
  });
}
