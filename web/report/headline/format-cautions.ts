import type { ReportView } from '../../../contract/reports.js';
import { memberName } from '../../shared/format.js';

type Dropout = ReportView['dropouts'][number];

/** Effect on the report of losing a model at a stage. */
const consequences: Readonly<Record<Dropout['stage'], string>> = {
  opinions: 'its forecast is missing from every number',
  cross_review: 'its first opinion counts unrevised',
  synthesis: 'another member wrote the summary',
};

/** The losses that degrade the report. A chairman that was replaced does not. */
export function lostMembers(dropouts: readonly Dropout[]): readonly Dropout[] {
  return dropouts.filter(({ stage }) => stage !== 'synthesis');
}

/** "Grok: timed out at opinions; its forecast is missing from every number." */
export function lossText({ model, stage, detail }: Dropout): string {
  return `${memberName(model)}: ${detail}; ${consequences[stage]}.`;
}

const numbers = ['none', 'one', 'two', 'three', 'four'];

/** How many of the requested members gave a forecast. */
export function quorumText(counted: number, requested: number): string {
  const word = (count: number) => numbers[count] ?? String(count);
  if (counted === requested)
    return `All ${word(requested)} members gave a forecast, but a later stage was incomplete.`;
  return `${capital(word(counted))} of ${word(requested)} members gave a forecast.`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
