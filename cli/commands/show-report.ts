import { asTyped } from '../as-typed.js';
import type { CouncilApi } from '../council-api.js';
import { describeReport } from '../describe-report.js';
import type { Output } from '../output.js';

export async function showReport(api: CouncilApi, output: Output, id: number): Promise<void> {
  const report = await api.readReport(id, 0);
  output.result(report, describeReport(report, output.paint));
  if (report.progress !== null)
    output.next(`It is not done yet. Look again: ${asTyped(`report show ${id}`)}`);
  output.next(`In the browser: ${api.browserUrl(id)}`);
}
