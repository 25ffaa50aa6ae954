import { type CouncilModel, councilModels } from '../../council/models.js';
import { roundTo } from '../../council/numbers.js';
import type { OpinionView } from '../deliberation.js';
import type { RuntimeView } from '../runtime.js';
import { type NameOf, shortName } from './evidence-text.js';

/**
 * What a report says about the grounds of its forecasts, shared by the page and the report in Markdown: base rates, the way
 * from them to the estimate, and the risk of an odd resolution. The names of outcomes, reference classes and periods are
 * untrusted text.
 */

export const baseRatesTitle = 'Base rates';

type BaseRate = OpinionView['base_rates'][number];

/** The base rates of a member, and its forecast by them alone. */
export type MemberView = Pick<OpinionView, 'model' | 'base_rates' | 'outside_view'>;

export interface BaseRateRow {
  readonly model: CouncilModel;
  /** What the counted events ended with. Null if the member did not say. */
  readonly outcome: string | null;
  readonly rate: BaseRate;
}

/** The reference classes of all members, side by side. Empty for reports of 1.0.0. */
export function baseRateRows(views: readonly MemberView[]): BaseRateRow[] {
  return councilModels.flatMap(model =>
    views
      .filter(view => view.model === model)
      .flatMap(({ base_rates, outside_view }) =>
        base_rates.map(rate => ({ model, outcome: outside_view?.outcome ?? null, rate })),
      ),
  );
}

/** What was counted, and how a count becomes the rate beside it. */
export function ratesText(rows: readonly BaseRateRow[]): string {
  const [outcome, ...others] = new Set(rows.map(row => row.outcome));
  const ending = others.length > 0 ? 'with the outcome named' : outcome ? `with “${outcome}”` : 'this way';
  return (
    `How often comparable events ended ${ending}, as the members counted. A rate is (k + 1)/(n + 2): one case more each ` +
    'way, so that what has never happened does not count as impossible.'
  );
}

/** "12 of 21 (the past 20 years)" */
export function baseRateText({ k, n, period }: Pick<BaseRate, 'k' | 'n' | 'period'>): string {
  return `${k} of ${n} (${period})`;
}

/** How the number of an outcome came about: from base rates alone, over council and market, to the estimate. */
export interface ViewPath {
  readonly outcome: string;
  /** The forecasts by base rates alone that the first step pools. */
  readonly members: readonly MemberPercent[];
  /** What the report has of outside view, council, market and estimate, in this order. */
  readonly steps: readonly { readonly name: string; readonly percent: number }[];
}

/** What the outside view is, before the way from it to the estimate. */
export function outsideViewText(paths: readonly ViewPath[]): string {
  const hasEstimate = paths.some(({ steps }) => steps.some(({ name }) => name === 'estimate'));
  return (
    'The outside view is what base rates alone say: the members’ forecasts by them, pooled. From there the members went on ' +
    'to what is particular about this event, which gave the council’s number.' +
    (hasEstimate ? ' The estimate weighs it with the market’s.' : '')
  );
}

interface MemberPercent {
  readonly model: CouncilModel;
  readonly percent: number;
}

type Numbers = Pick<
  RuntimeView,
  'exclusive' | 'outside_view' | 'market_probabilities' | 'market_implied_probabilities' | 'estimate'
>;

/** One for each outcome that base rates speak of. Empty for reports of 1.0.0. */
export function viewPaths(runtime: Numbers, views: readonly MemberView[]): ViewPath[] {
  return runtime.outside_view.map(({ outcome, probability, members }) => {
    const numbers = [
      ['outside view', probability],
      ['council', runtime.market_probabilities[outcome] ?? null],
      ['market', runtime.market_implied_probabilities[outcome] ?? null],
      ['estimate', runtime.estimate?.probabilities[outcome] ?? null],
    ] as const;
    return {
      outcome,
      members: members.flatMap(model => memberPercent(model, outcome, views)),
      steps: numbers.flatMap(([name, percent]) => (percent === null ? [] : [{ name, percent }])),
    };
  });
}

/** Of two outcomes, what a member says of the one is said of the other, as in the pooled number. */
function memberPercent(
  model: CouncilModel,
  outcome: string,
  views: readonly MemberView[],
): readonly MemberPercent[] {
  const view = views.find(each => each.model === model)?.outside_view;
  if (!view) return [];
  const percent = view.outcome === outcome ? view.probability : roundTo(100 - view.probability, 1);
  return [{ model, percent }];
}

/** "outside view 42.1 % (claude 41.5, gpt 43) → council 39.8 % → market 42 % → estimate 40.6 %" */
export function stepsText({ members, steps }: ViewPath, nameOf: NameOf = shortName): string {
  const [first, ...later] = steps.map(({ name, percent }) => `${name} ${percent} %`);
  const pooled = members.map(({ model, percent }) => `${nameOf(model)} ${percent}`).join(', ');
  return [`${first} (${pooled})`, ...later].join(' → ');
}

/** The chance of an odd resolution. @param risk percent */
export function resolutionRiskText(risk: number): string {
  return (
    `Resolution risk ${risk} %: the chance that the event resolves otherwise than the facts suggest (wording, source, ` +
    'dispute), by the median of the members.'
  );
}
