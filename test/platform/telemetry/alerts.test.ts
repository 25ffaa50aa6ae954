import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { alertRules, dashboardPanels, metricsIn, namedMetrics } from '../../support/machine/named-metrics.js';
import { queryFaults } from '../../support/machine/query-faults.js';

const rules = alertRules();
const panels = dashboardPanels();

/** The anchor of a heading. */
function slugsOf(document: string): string[] {
  return [...document.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Runbook links without a matching heading. */
function deadRunbooks(runbooks: readonly string[]): string[] {
  return runbooks.filter(runbook => {
    const [path = '', slug = ''] = runbook.split('#');
    return path !== 'docs/operations.md' || !slugsOf(readFileSync(path, 'utf8')).includes(slug);
  });
}

describe('the alerts', () => {
  test('have unique names, a summary and a severity', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/^\S.{10,}\.$/);
    }
  });

  test('link to a heading of the operations guide', () => {
    expect(deadRunbooks(rules.map(({ annotations }) => annotations.runbook))).toEqual([]);
  });

  test('a broken runbook link is detected', () => {
    expect(deadRunbooks(['docs/operations.md#nowhere'])).toHaveLength(1);
  });

  test.each(rules.map(({ alert, expr }) => [alert, expr]))(
    '%s asks a question that can be read',
    (_alert, expr) => {
      expect(queryFaults(expr)).toEqual([]);
      expect(metricsIn(expr).length + (expr.includes('up{') ? 1 : 0)).toBeGreaterThan(0);
    },
  );
});

describe('the dashboard', () => {
  test('has panels that do not overlap', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)}/${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  });

  test('has valid queries', () => {
    const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(asked.length).toBeGreaterThan(25);
    expect(asked.flatMap(queryFaults)).toEqual([]);
  });

  test('shows every metric that an alert uses', () => {
    const shown = new Set(
      panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))),
    );
    const unseen = rules.flatMap(({ expr }) => metricsIn(expr)).filter(name => !shown.has(name));
    expect(unseen).toEqual([]);
  });
});

describe('the query check', () => {
  test.each([
    'sum(rate(x[5m])',
    'sum(rate(x[5 minutes]))',
    'x{model="grok}',
    'x{model=grok}',
    'sum by model (x)',
    'x > > 1',
    'rates(x[5m])',
    'sum(x) /',
  ])('rejects %s', expr => {
    expect(queryFaults(expr)).not.toEqual([]);
  });

  test('finds the metric names of a query', () => {
    expect(namedMetrics().size).toBeGreaterThan(25);
    expect(metricsIn('rate(council_reports_total{end="x"}[5m]) > 0')).toEqual(['council_reports_total']);
  });
});
