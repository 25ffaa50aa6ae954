import type { CouncilApi } from '../council-api.js';
import { describeReport } from '../describe-report.js';
import type { Output } from '../output.js';

export async function showReport(api: CouncilApi, output: Output, id: number): Promise<void> {
  const report = await api.readReport(id, 0);
  output.result(report, describeReport(report));
}
