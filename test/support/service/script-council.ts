import { councilModels } from '../../../council/models.js';
import { compareText } from '../../../council/text.js';
import type { TestService } from './test-service.js';

interface Script {
  /** The probability that every member gives to each outcome of an event of several markets, in percent. */
  readonly percents: Readonly<Record<string, number>>;
  /** The text that all members write. */
  readonly words?: string;
}

/** Makes every member give a fixed answer at every stage, so that a test knows the report's content. */
export function scriptCouncil(
  { simulator }: Pick<TestService, 'simulator'>,
  { percents, words }: Script,
): void {
  const text = words ?? 'Base rates.';
  const distribution = Object.entries(percents)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, probability], index) => ({ outcome: `O${index + 1}`, probability }));
  const opinion = { distribution, confidence: 60, rationale: text, evidence: [{ fact: text, sources: [] }] };
  const labels = ['A', 'B', 'C'];
  const review = {
    ranking: labels,
    critiques: labels.map(label => ({ label, strengths: text, weaknesses: text })),
    revised_distribution: distribution,
    revised_confidence: 65,
  };
  const synthesis = { summary: text, agreements: [text], disagreements: [text], key_uncertainties: [text] };
  const says = (answer: object) => ({ kind: 'says', text: JSON.stringify(answer) }) as const;
  for (const model of councilModels) {
    simulator.setFault({ model, stage: 'opinions' }, says(opinion));
    simulator.setFault({ model, stage: 'cross_review' }, says(review));
  }
  simulator.setFault({ stage: 'synthesis' }, says(synthesis));
}
