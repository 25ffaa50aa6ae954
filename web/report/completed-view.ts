import type { DeliberationView } from '../../contract/deliberation.js';
import type { ReportView } from '../../contract/reports.js';
import type { RuntimeView } from '../../contract/runtime.js';

/** A completed report, with the parts that are null until a run has completed. */
export interface CompletedView {
  readonly report: ReportView;
  readonly runtime: RuntimeView;
  readonly deliberation: DeliberationView;
}

/** What the parts of the page need that do not show the deliberation. */
export type ResultView = Pick<CompletedView, 'report' | 'runtime'>;

/** Null unless the run has completed. */
export function completedView(report: ReportView): CompletedView | null {
  const { status, deliberation, council_config: config } = report;
  if (status !== 'completed' || config.runtime === null || deliberation === null) return null;
  return { report, runtime: config.runtime, deliberation };
}
