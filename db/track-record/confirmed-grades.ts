import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Whether no grade says what this resolution says: none was made under it, and the report's last was not made under an
 * earlier one with the same outcomes. The same outcomes give the same grade, so the later resolution only confirms it.
 *
 * @param resolution the alias of a row with `id` and `outcomes`
 */
export function isNotGradedAs({ reportId, resolution, grader }: GradedAs): RawBuilder<SqlBool> {
  const newer = sql.ref(resolution);
  return sql`
    not exists (
      select from grades
      where grades.report_id = ${reportId} and grades.resolution_id = ${newer}.id and grades.grader = ${grader}
    ) and not coalesce((
      select last.grader = ${grader} and last.resolution_id < ${newer}.id and (
        select ${sameOutcomes('before', resolution)} from resolutions as before where before.id = last.resolution_id
      )
      from grades as last where last.report_id = ${reportId}
      order by last.resolution_id desc, last.id desc limit 1
    ), false)`;
}

interface GradedAs {
  readonly reportId: number | RawBuilder<unknown>;
  readonly resolution: string;
  readonly grader: string;
}

/** The order of the markets does not count. */
export function sameOutcomes(one: string, other: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(one)}.outcomes::jsonb = ${sql.ref(other)}.outcomes::jsonb`;
}

/**
 * The id of the newest resolution with the outcomes of a grade's own, which may be its own. What it says of who decided is
 * shown with the grade.
 *
 * @param gradedUnder SQL of the id of the resolution that the grade is based on
 */
export function confirmedBy(gradedUnder: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce((
    select confirming.id from resolutions as own
    join resolutions as confirming on confirming.event_id = own.event_id and confirming.id > own.id
    where own.id = ${gradedUnder} and ${sameOutcomes('own', 'confirming')}
    order by confirming.id desc limit 1
  ), ${gradedUnder})`;
}
