import { describe, expect, test } from '@jest/globals';
import type { Opinion, Synthesis } from '../../../council/deliberation/stages.js';
import { councilModels } from '../../../council/models.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { verdictEventsMin } from '../../../record/figures/record-verdict.js';
import { gradeForecast } from '../../../record/grades/grade.js';
import { sampleReports } from '../../../simulator/record/sample-reports.js';
import { sampleService } from '../../support/record/sample-service.js';

const reports = sampleReports(sampleService).map((report, index) => ({
  ...report,
  forecast: { ...report.freeze(index + 1), answers_sha256: '', market_sha256: '' },
}));

const events = createSampleEventSource();
const grades = await Promise.all(
  reports.map(async ({ forecast }) => {
    const { markets = [] } = (await events.get(forecast.event_id)) ?? {};
    const outcomes = Object.fromEntries(markets.map(({ marketId, resolution }) => [marketId, resolution]));
    return { forecast, grade: gradeForecast(forecast, outcomes) };
  }),
);

describe('the sample record', () => {
  test('has enough graded events for a comparison', () => {
    const graded = grades.filter(({ grade }) => grade !== 'pending' && grade.state === 'graded');
    const events = new Set(graded.map(({ forecast }) => forecast.event_id));
    expect(events.size).toBeGreaterThanOrEqual(4 * verdictEventsMin - 10);
    expect(graded.length).toBeGreaterThan(events.size);
  });

  test('has void and half-and-half events, winners among “Any other”, and nothing that waits', () => {
    const states = grades.map(({ grade }) => (grade === 'pending' ? grade : grade.state));
    expect([...new Set(states)].sort()).toEqual(['fifty_fifty', 'graded', 'void']);
    const winners = grades.flatMap(({ grade }) =>
      grade === 'pending' ? [] : (grade.scores?.outcomes ?? []),
    );
    expect(winners.filter(({ name, happened }) => name === 'Any other' && happened === 1)).not.toEqual([]);
  });

  test('has two thirds of reports with evidence: sources, opinions that cite, and the hash in the record', () => {
    const unsearched = reports.filter(({ conclusion }) => conclusion.evidence === null);
    expect(unsearched.length / reports.length).toBeGreaterThan(0.25);
    expect(unsearched.length / reports.length).toBeLessThan(0.4);
    for (const { forecast, answers } of unsearched) {
      expect(forecast.evidence).toBeNull();
      expect(answers.map(({ stage }) => stage)).not.toContain('research');
    }
    for (const { forecast, conclusion, answers } of reports) {
      const { evidence, runtime } = conclusion;
      if (evidence === null) continue;
      expect(evidence?.status).toBe('searched');
      expect(evidence?.removed).toMatchObject({ market_sources: 0, odds_statements: 0 });
      expect(evidence?.items.length).toBeGreaterThan(2);
      expect(evidence?.items.every(({ domain }) => domain.endsWith('.example.org'))).toBe(true);
      expect(forecast.evidence).toEqual(runtime.evidence);
      expect(runtime.evidence?.items).toBe(evidence?.items.length);
      const researchers = answers.flatMap(({ stage, model }) => (stage === 'research' ? [model] : []));
      expect(researchers).toEqual(sampleService.searchers);
      expect(JSON.stringify(answers)).toMatch(/"sources":\["S\d+"\]/);
    }
  });

  test('has the estimate and its weights wherever a price is firm, and says that it is simulated', () => {
    const missing = reports.flatMap(({ conclusion: { runtime } }) => runtime.estimate_missing ?? []);
    expect(missing.sort()).toEqual(['no_firm_price', 'no_price', 'no_price']);
    for (const { forecast, conclusion, answers, at, ended } of reports) {
      const { runtime } = conclusion;
      if (runtime.estimate_missing === null) {
        expect({ ...runtime.estimate?.weights, kind: runtime.estimate?.method }).toEqual(
          sampleService.weights,
        );
        expect(forecast.estimate_weights).toMatchObject({ sha256: sampleService.weights.sha256 });
      }
      expect(forecast.simulated && runtime.simulated).toBe(true);
      expect(at.getTime()).toBeLessThan(Date.parse(ended.closesAt ?? ''));
      const synthesis = answers.find(({ stage }) => stage === 'synthesis');
      expect(synthesis?.answer).toMatchObject({
        summary: expect.stringMatching(/^From the sample record: .* as if on \d{4}-\d\d-\d\d\. Simulated/),
      });
    }
  });

  test('has base rates, ranges and triggers, all labelled as simulated and dated after the day of their report', () => {
    const simulated = /^Simulated: /;
    for (const { answers, conclusion, forecast, at } of reports) {
      const day = at.toISOString().slice(0, 'YYYY-MM-DD'.length);
      const { runtime } = conclusion;
      expect(forecast.outside_view).toEqual(runtime.outside_view);
      expect(runtime.outside_view?.flatMap(({ members }) => members).toSorted()).toEqual(
        councilModels.toSorted(),
      );
      expect(runtime.resolution_risk).toBeGreaterThan(0);
      for (const { stage, answer } of answers) {
        const { grounds, triggers } = answer as Partial<Opinion & Synthesis>;
        if (stage === 'opinions') {
          expect(grounds?.dropped).toEqual([]);
          expect(grounds?.rule).toMatch(simulated);
          expect(grounds?.baseRates.length).toBeGreaterThan(0);
          for (const { referenceClass } of grounds?.baseRates ?? [])
            expect(referenceClass).toMatch(simulated);
        }
        if (stage === 'synthesis') expect(triggers?.length).toBeGreaterThan(0);
        for (const each of [...(grounds?.wouldChange ?? []), ...(triggers ?? [])]) {
          expect(each.if).toMatch(simulated);
          expect(each.by > day).toBe(true);
        }
      }
    }
    const gaps = reports.filter(({ conclusion }) => conclusion.runtime.market_gap);
    expect(gaps.length).toBeGreaterThan(0);
    expect(gaps.length).toBeLessThan(reports.length);
  });
});
