import { estimateFormula, numberLines, shownNumbers } from '../../client/estimate-text.js';
import { didNotSearch, factLine, searchLines, sourceLine } from '../../client/evidence-text.js';
import { gradeLines } from '../../client/grade-text.js';
import {
  betLines,
  chairmanText,
  dissentLines,
  indented,
  independenceNote,
  limitWarnings,
  outcomeRows,
  simulatedWarning,
} from '../../client/report-text.js';
import type { DeliberationView } from '../../contract/deliberation.js';
import type { ReportView } from '../../contract/reports.js';
import type { RuntimeView } from '../../contract/runtime.js';
import type { Paint } from '../terminal/output.js';

/** For a terminal: first what limits the report, then the verdict and its basis. */
export function describeReport(report: ReportView, paint: Paint): string {
  const { deliberation, council_config } = report;
  const { runtime } = council_config;
  const heading = paint.strong(`Report ${report.id}: ${report.event_title}`);
  if (report.failure !== null) return `${heading}\n${paint.bad(`FAILED: ${report.failure.detail}`)}`;
  if (runtime === null) return `${heading}\n${report.status}`;
  const by = runtime.most_likely_source === 'council' ? 'by the council' : 'by the market';
  const warnings = [
    ...(runtime.simulated ? [simulatedWarning] : []),
    ...limitWarnings(runtime, deliberation?.evidence ?? null),
  ];
  return [
    heading,
    ...warnings.map(paint.warning),
    '',
    `Most likely   ${paint.strong(`${runtime.most_likely_outcome}, ${runtime.most_likely_probability} %`)} (${by})`,
    `Verdict       ${paint.strong(report.action ?? 'none')} on “${report.queried_market}”: ${report.probability} % for YES (${by}), confidence ${report.confidence}`,
    '',
    ...outcomeTable(runtime),
    ...numberLines(runtime),
    ...independenceNote(runtime),
    ...dissentLines(deliberation?.positions ?? []),
    '',
    ...betLines(runtime),
    '',
    `Summary by ${chairmanText(runtime)}:`,
    indented(report.summary ?? ''),
    '',
    ...(deliberation === null ? [] : [...evidenceLines(deliberation), '']),
    ...gradeLines(report.grade, '/track-record').flatMap(line => [line, '']),
    ...(runtime.estimate === null ? [] : [paint.faint(describeWeights(runtime.estimate, runtime.method))]),
    paint.faint(report.disclaimer),
  ].join('\n');
}

/** The sources, then what each member says is a fact, with the sources that it cites. */
function evidenceLines({ evidence, opinions }: DeliberationView): string[] {
  return [
    ...(evidence === null ? [didNotSearch] : searchLines(evidence, evidence.items.length)),
    ...(evidence?.items ?? []).map(source => `  ${sourceLine(source)}`),
    '',
    ...opinions.flatMap(({ model, evidence: facts }) => [
      `Facts named by ${model}:`,
      ...(facts.length === 0 ? ['  none'] : facts.map(fact => `  - ${factLine(fact)}`)),
    ]),
  ];
}

function describeWeights(
  estimate: NonNullable<RuntimeView['estimate']>,
  { thresholds }: RuntimeView['method'],
): string {
  const { id, sha256 } = estimate.weights;
  return `${estimateFormula(estimate, thresholds)}; weights ${id}, SHA-256 ${sha256}.`;
}

function outcomeTable(runtime: RuntimeView): string[] {
  const rows = outcomeRows(runtime);
  const numbers = shownNumbers(runtime);
  const width = Math.max(...rows.map(({ name }) => name.length), 'Outcome'.length);
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(width), ...cells.map(text => text.padStart(cellWidth))].join('  ');
  return [
    line('Outcome', numbers),
    ...rows.map(row =>
      line(
        row.name,
        numbers.map(name => cell(row[name])),
      ),
    ),
  ];
}

const cellWidth = 8;

function cell(percent: number | null): string {
  return percent === null ? 'none' : `${percent.toFixed(1)} %`;
}
