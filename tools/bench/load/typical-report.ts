import { councilModels } from '../../../council/models.js';
import type { Db } from '../../../db/database.js';
import { readWeightsInForce } from '../../../db/estimate/weights.js';
import type { PastReport } from '../../../db/track-record/past-reports.js';
import { sampleReports } from '../../../simulator/record/sample-reports.js';

/** A report of the sample record on which three members have searched, as a pattern for reports without a run. */
export async function typicalReport(db: Db): Promise<PastReport> {
  const reports = sampleReports({
    modelIds: { claude: 'claude', gpt: 'gpt', gemini: 'gemini', grok: 'grok' },
    searchers: councilModels.filter(member => member !== 'gemini'),
    weights: await readWeightsInForce(db),
  });
  const typical = reports.find(({ answers }) => answers.some(({ stage }) => stage === 'research'));
  if (typical === undefined) throw new Error('the sample record has no report with evidence');
  return typical;
}
