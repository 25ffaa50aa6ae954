import { nameMaxChars } from '../../council/text.js';
import { ownKnowledge } from './evidence-text.js';
import { gapAuthorText, gapNumbersText, lostGapText } from './gap-text.js';
import {
  type BaseRateRow,
  baseRateRows,
  baseRatesTitle,
  baseRateText,
  outsideViewText,
  ratesText,
  stepsText,
  type ViewPath,
  viewPaths,
} from './grounds-text.js';
import { escapedLine, item, part, sentence, table } from './markdown.js';
import type { ReportParts } from './report-parts.js';
import { subjectText, triggerLead, triggerNumbers, triggersText, triggersTitle } from './trigger-text.js';

type Runtime = NonNullable<ReportParts['runtime']>;

/** Both sides of a wide difference between council and market. Empty where they are close. */
export function marketGapPart({ market_gap: reasons }: ReportParts, runtime: Runtime): string[] {
  const numbers = gapNumbersText(runtime);
  if (numbers === null) return [];
  const lost = lostGapText(runtime, { market_gap: reasons });
  const author = reasons === null ? '' : gapAuthorText(reasons.model);
  return part(
    'Why the market differs',
    [[escapedLine(numbers), lost ?? author].join(' ')],
    reasons === null
      ? []
      : [
          `What the market may know: ${sentence(escapedLine(reasons.market_may_know))}`,
          `What the council may know: ${sentence(escapedLine(reasons.council_may_know))}`,
        ].map(item),
  );
}

/** The members' reference classes side by side, then the way from them to the estimate. */
export function baseRatesPart(report: ReportParts, runtime: Runtime): string[] {
  const rows = baseRateRows(report.outside_views);
  const paths = viewPaths(runtime, report.outside_views);
  return part(
    baseRatesTitle,
    rows.length === 0 ? [] : [escapedLine(ratesText(rows))],
    rows.length === 0 ? [] : baseRateTable(report, rows),
    paths.length === 0 ? [] : [outsideViewText(paths)],
    paths.map(pathLine).map(item),
  );
}

/** A class is named in a few words; a longer text would push the rows apart. It is whole in the JSON. */
const classShownChars = 200;
const periodShownChars = 60;

function baseRateTable({ sources }: ReportParts, rows: readonly BaseRateRow[]): string[] {
  const isOneOutcome = new Set(rows.map(({ outcome }) => outcome)).size === 1;
  const ofOutcome = ({ outcome }: BaseRateRow) =>
    isOneOutcome ? [] : [outcome === null ? 'not said' : escapedLine(outcome, nameMaxChars)];
  const head = ['Member', ...(isOneOutcome ? [] : ['outcome']), 'k of n', 'rate, %', 'reference class'];
  const texts = isOneOutcome ? [0, 1, 3] : [0, 1, 2, 4];
  return table(
    head,
    rows.map(row => [
      row.model,
      ...ofOutcome(row),
      escapedLine(baseRateText({ ...row.rate, period: shortened(row.rate.period) })),
      String(row.rate.rate),
      `${escapedLine(row.rate.reference_class, classShownChars)} (${origin(row, sources)})`,
    ]),
    texts,
  );
}

function shortened(text: string): string {
  return text.length <= periodShownChars ? text : `${text.slice(0, periodShownChars - 1)}…`;
}

/** Ids name nothing unless the sources are shown as well. */
function origin({ rate: { sources: ids } }: BaseRateRow, sources: ReportParts['sources']): string {
  if (ids.length === 0) return ownKnowledge;
  return sources === undefined ? 'cited' : ids.map(id => escapedLine(id)).join(', ');
}

function pathLine(path: ViewPath): string {
  return `“${escapedLine(path.outcome, nameMaxChars)}”: ${stepsText(path)}.`;
}

/** What would change the forecast, with the members' own numbers. Reports of 1.0.0 have no subject, and no such part. */
export function triggersPart({ triggers }: ReportParts, runtime: Runtime): string[] {
  const { subject } = runtime;
  if (subject === null || triggers.length === 0) return [];
  return part(
    triggersTitle,
    [`“${escapedLine(subject, nameMaxChars)}” ${subjectText(runtime, subject)}. ${triggersText}`],
    triggers.map(trigger =>
      item(
        `${triggerLead(trigger)}: ${sentence(escapedLine(trigger.if, classShownChars))} (${triggerNumbers(trigger)})`,
      ),
    ),
  );
}
