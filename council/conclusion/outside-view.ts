import type { Opinion } from '../deliberation/stages.js';
import type { OutcomeSet } from '../market/outcome-set.js';
import { type CouncilModel, councilModels } from '../models.js';
import { at, median, roundTo } from '../numbers.js';
import type { OutsideView } from '../report.js';
import { pool } from './consensus.js';

type Opinions = Readonly<Partial<Record<CouncilModel, Opinion>>>;

/**
 * The council's outside view: what the members' base rates alone say, pooled like their forecasts, for each outcome that
 * base rates speak of. Of two outcomes, what is said of the second is said of the first.
 */
export function outsideView({ exclusive, outcomes }: OutcomeSet, opinions: Opinions): OutsideView[] {
  const hasTwoSides = exclusive && outcomes.length === 2;
  const views = councilModels.flatMap(model => {
    const view = opinions[model]?.grounds?.outsideView ?? null;
    if (view === null) return [];
    const place = outcomes.findIndex(({ name }) => name === view.outcome);
    const fraction = view.probability / 100;
    return hasTwoSides && place === 1
      ? [{ model, place: 0, fraction: 1 - fraction }]
      : [{ model, place, fraction }];
  });
  return outcomes.flatMap(({ name }, index) => {
    const ofIt = views.filter(({ place }) => place === index);
    if (ofIt.length === 0) return [];
    const rows = ofIt.map(({ fraction }) => [fraction]);
    const probability = roundTo(at(pool(rows, { exclusive: false }), 0) * 100, 1);
    return [{ outcome: name, probability, members: ofIt.map(({ model }) => model) }];
  });
}

/** The median (percent) of the members' chances that the event resolves otherwise than the facts suggest. */
export function resolutionRisk(opinions: Opinions): number | null {
  const risks = councilModels.flatMap(model => opinions[model]?.grounds?.resolutionRisk ?? []);
  return risks.length === 0 ? null : roundTo(median(risks), 1);
}

/** The base rate as a percent: (k + 1) / (n + 2), Laplace's rule of succession, which never says 0 or 100. */
export function baseRatePercent({ k, n }: { readonly k: number; readonly n: number }): number {
  return roundTo(((k + 1) / (n + 2)) * 100, 1);
}
