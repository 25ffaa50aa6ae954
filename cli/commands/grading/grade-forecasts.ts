import { createHash } from 'node:crypto';
import { type Command, Option } from 'commander';
import { baselines, choices, type GradeRules, serviceRules } from '../../../record/regrading/gradable-row.js';
import { regrade } from '../../../record/regrading/regrade.js';
import type { CommandContext } from '../../command-context.js';
import { examples } from '../../terminal/command-line.js';
import { Failure } from '../../terminal/failure.js';
import type { Output } from '../../terminal/output.js';
import { type GradedDocument, gradeTable } from './grade-table.js';
import { type FormatName, formatNames, type ReadRows, readGradable } from './read-gradable.js';
import { readResolutions } from './read-resolutions.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  group
    .command('grade')
    .description(
      'Grades forecasts again by rules of your own (docs/evaluate.md): an export of the track record, results of batches, the table that evaluate reads, sets of ForecastBench, or cells of Prophet Arena. Prints as JSON what each forecaster scores, how it compares with the market, what each member is worth, each old grade beside the new one with the reason of a difference, and a digest that is the same wherever the same rows are graded by the same rules. Needs no running service and writes nothing.',
    )
    .summary('grade forecasts again by rules of your own')
    .argument('<files...>', 'files of one format, each a CSV table, JSON lines or a JSON document')
    .addOption(
      new Option(
        '--format <name>',
        'the format of the files; by default recognised by their content',
      ).choices(formatNames),
    )
    .option(
      '--resolutions <file>',
      'how events ended, instead of what the files say: event_id,outcome,[resolution],[was_disputed],[rules_changed],[market_at_close_1d]',
    )
    .addOption(
      new Option('--baseline <price>', 'the market price to compare with; by default at-forecast').choices(
        baselines,
      ),
    )
    .addOption(
      choice(
        '--scalar <choice>',
        'what was paid half, or another share, graded by that share',
        serviceRules.scalar,
      ),
    )
    .addOption(choice('--disputed <choice>', 'rows of which an answer was contested', serviceRules.disputed))
    .addOption(
      choice(
        '--rules-changed <choice>',
        'rows whose rules changed after the forecast',
        serviceRules.rules_changed,
      ),
    )
    .addHelpText(
      'after',
      examples(
        'grade track-record.json --rules-changed out',
        'grade results.ndjson --resolutions outcomes.csv',
        'grade question-set.json forecasts.json resolution-set.json',
      ),
    )
    .action((files: string[], options: GradeOptions) => gradeForecasts(context.output, files, options));
}

function choice(flags: string, description: string, byDefault: string): Option {
  return new Option(flags, description).choices(choices).default(byDefault);
}

interface GradeOptions {
  readonly format?: FormatName;
  readonly resolutions?: string;
  readonly baseline?: GradeRules['baseline'];
  readonly scalar: GradeRules['scalar'];
  readonly disputed: GradeRules['disputed'];
  readonly rulesChanged: GradeRules['rules_changed'];
}

/** Grades files; prints JSON and a table. */
function gradeForecasts(output: Output, files: readonly string[], options: GradeOptions): void {
  const { format, resolutions, baseline, scalar, disputed, rulesChanged } = options;
  const read = readGradable(files, {
    format,
    resolutions: resolutions === undefined ? undefined : readResolutions(resolutions),
  });
  const rules = {
    baseline: baseline ?? serviceRules.baseline,
    scalar,
    disputed,
    rules_changed: rulesChanged,
  };
  refuseUnknown(read, rules, baseline);
  const hash = createHash('sha256');
  const regrading = regrade(read.rows, rules, text => hash.update(text, 'utf8'));
  const { grades, ...figures } = regrading;
  const document = { format: read.format, digest: hash.digest('hex'), ...figures };
  for (const line of gradeTable(document)) output.progress(line);
  output.result(
    {
      ...document,
      // Read only if the document is printed: there may be very many.
      get grades() {
        return Array.from(grades.inOrder(), grade => JSON.parse(grade));
      },
    },
    documentText(document, grades.inOrder()),
  );
}

/** JSON with a line for each old grade. */
function documentText(document: GradedDocument, grades: Iterable<string>): string {
  let text = JSON.stringify({ ...document, grades: [] }, null, 2).replace(/\]\n\}$/, '');
  let separator = '';
  for (const grade of grades) {
    text += `${separator}\n    ${grade}`;
    separator = ',';
  }
  return `${text}${separator === '' ? '' : '\n  '}]\n}`;
}

/**
 * A rule that the files say nothing about is refused: without effect, it would look as if it had been followed. The prices at
 * the forecast are required only by those who ask for them.
 */
function refuseUnknown(
  { rows, format }: ReadRows,
  rules: GradeRules,
  asked: GradeRules['baseline'] | undefined,
): void {
  const { knows } = rows;
  const needed = [
    [
      asked === 'at-forecast' && !knows.market,
      '--baseline at-forecast',
      'no price at the time of the forecasts',
    ],
    [
      rules.baseline === 'at-close-1d' && !knows.market_at_close_1d,
      '--baseline at-close-1d',
      'no price of a day before the events closed',
    ],
    [rules.disputed === 'out' && !knows.disputed, '--disputed out', 'nothing of contested answers'],
    [
      rules.rules_changed === 'out' && !knows.rules_changed,
      '--rules-changed out',
      'nothing of changed rules',
    ],
  ] as const;
  for (const [isMissing, rule, lack] of needed) {
    if (!isMissing) continue;
    throw new Failure(`${rule} cannot be followed: the files of ${format} have ${lack}.`, {
      next: 'Leave the rule out, or give what it needs in --resolutions; docs/evaluate.md names the fields.',
    });
  }
}
