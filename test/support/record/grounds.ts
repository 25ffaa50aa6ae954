import { confidence } from '../../../council/conclusion/confidence.js';
import { marketGap } from '../../../council/conclusion/market-gap.js';
import { baseRatePercent, outsideView, resolutionRisk } from '../../../council/conclusion/outside-view.js';
import type { Grounds, Opinion } from '../../../council/deliberation/stages.js';
import { type OutcomeSet, subjectIndex } from '../../../council/market/outcome-set.js';
import { type CouncilModel, councilModels } from '../../../council/models.js';
import { at } from '../../../council/numbers.js';
import type { RecordedForecast } from '../../../record/recorded-forecast.js';

type Opinions = Readonly<Partial<Record<CouncilModel, Opinion>>>;

/** What the members of a recorded report answered first; with grounds, which release 1.0.0 did not ask for. */
function opinionsOf(forecast: RecordedForecast): Opinions {
  const asked = councilModels.filter(model => forecast.outcomes[0]?.first_members[model] !== undefined);
  return Object.fromEntries(asked.map((model, index) => [model, opinionOf(forecast, model, index)]));
}

function opinionOf(forecast: RecordedForecast, model: CouncilModel, index: number): Opinion {
  const distribution = forecast.outcomes.map(({ name, first_members: first }) => ({
    outcome: name,
    probability: first[model] ?? 0,
  }));
  const opinion = { distribution, rationale: '', evidence: [] };
  if (forecast.record === 'record/1') return { ...opinion, confidence: 55 + index };
  const grounds = groundsOf(forecast, distribution, index);
  const { low, high } = grounds.range ?? { low: 0, high: 0 };
  return { ...opinion, confidence: 100 - (high - low), grounds };
}

/** Of most members, because one may leave out any part. Some speak of the second outcome. */
function groundsOf(
  { outcomes, exclusive }: RecordedForecast,
  distribution: Opinion['distribution'],
  index: number,
): Grounds {
  const drawn = Math.round(10 * (outcomes[0]?.council ?? 0));
  const percents = distribution.map(({ probability }) => probability);
  const own = at(distribution, subjectIndex(exclusive, percents));
  const spoken = at(distribution, (drawn + index) % 5 === 0 ? 1 : 0).outcome;
  const rate = { k: drawn % 7, n: 8 + index };
  return {
    rule: 'As the rules say.',
    resolutionRisk: index === 3 ? null : 1 + ((drawn + index) % 6),
    baseRates: [{ referenceClass: 'Comparable events', ...rate, period: 'since 2000', sources: [] }],
    outsideView: index === 2 ? null : { outcome: spoken, probability: baseRatePercent(rate) },
    subject: own.outcome,
    range: { low: Math.floor(own.probability * 0.8), high: Math.ceil(own.probability) },
    wouldChange: [{ if: 'A date is changed.', by: '2031-05-01', to: 10 + (drawn % 80) }],
    dropped: [],
  };
}

/** What `record/2` adds, as the service computes it; only the confidence of a report of 1.0.0. */
export function addedTo(forecast: RecordedForecast) {
  const { exclusive, degraded, conflict, outcomes } = forecast;
  const opinions = opinionsOf(forecast);
  const forecasts = councilModels.flatMap(model => {
    const opinion = opinions[model];
    const first = opinion?.distribution.map(({ probability }) => probability / 100) ?? [];
    return opinion === undefined ? [] : [{ first, firstConfidence: opinion.confidence }];
  });
  const evidence = forecast.evidence?.status ?? null;
  const added = { confidence: confidence({ exclusive, forecasts, degraded, conflict, evidence }) };
  if (forecast.record === 'record/1') return added;
  const set: OutcomeSet = {
    exclusive,
    outcomes: outcomes.map(({ name, side }) => ({ name, side, market: null })),
    markets: [],
    hasAnyOther: false,
    leftOut: [],
    ladders: [],
  };
  const firm = outcomes.map(({ estimate }) => estimate !== null);
  const market = { percents: outcomes.map(each => each.market), trustworthy: firm.includes(true), firm };
  return {
    ...added,
    outside_view: outsideView(set, opinions),
    resolution_risk: resolutionRisk(opinions),
    market_gap: marketGap(set, { percents: outcomes.map(({ council }) => council) }, market),
  };
}

/** The same as a buyer's report shows it. */
export function shownGrounds(forecast: RecordedForecast) {
  const { confidence, ...numbers } = {
    outside_view: [],
    resolution_risk: null,
    market_gap: null,
    ...addedTo(forecast),
  };
  const opinions = opinionsOf(forecast);
  const { exclusive, outcomes } = forecast;
  const percents = outcomes.map(({ council }) => council);
  const subject = at(outcomes, subjectIndex(exclusive, percents)).name;
  const isNew = forecast.record !== 'record/1';
  const shown = councilModels.flatMap(model => {
    const opinion = opinions[model];
    return opinion === undefined ? [] : [shownOpinion(model, opinion)];
  });
  const to = shown.flatMap(({ model, subject: of, would_change: changes }) =>
    of === subject ? changes.map(change => [model, change.to]) : [],
  );
  const triggers = [{ if: 'A date is changed.', to: Object.fromEntries(to) }];
  return {
    confidence,
    runtime: { ...numbers, subject: isNew ? subject : null },
    deliberation: { opinions: shown, synthesis: { triggers: isNew ? triggers : [] } },
  };
}

function shownOpinion(model: CouncilModel, { distribution, confidence, grounds }: Opinion) {
  return {
    model,
    distribution,
    confidence,
    base_rates: (grounds?.baseRates ?? []).map(rate => ({ ...rate, rate: baseRatePercent(rate) })),
    outside_view: grounds?.outsideView ?? null,
    resolution_risk: grounds?.resolutionRisk ?? null,
    subject: grounds?.subject ?? null,
    range: grounds?.range ?? null,
    would_change: grounds?.wouldChange ?? [],
  };
}
