import type { ReportView } from '../../../contract/reports.js';
import { memberName } from '../../shared/format.js';

type Dropout = ReportView['dropouts'][number];

/** What the loss of a model at a stage means for the report. */
const consequences: Readonly<Record<Dropout['stage'], string>> = {
  opinions: 'its forecast is missing from every number',
  cross_review: 'its first opinion counts as it was, without having read the others',
  synthesis: 'another member wrote the summary',
};

/** Who was lost, why, at which stage, and what follows from it. */
export function lossText({ model, stage, detail }: Dropout): string {
  return `${memberName(model)}: ${detail}; ${consequences[stage]}.`;
}

const numberWords = ['none', 'one', 'two', 'three', 'four'];

/** How complete the council was. */
export function quorumText(counted: number, asked: number): string {
  const word = (count: number) => numberWords[count] ?? String(count);
  if (counted === asked) return `All ${word(asked)} gave a forecast, but not every stage was complete.`;
  return `${capital(word(counted))} of ${word(asked)} forecasts count: that is no consensus of ${word(asked)}.`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
