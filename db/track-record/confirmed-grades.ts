import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Whether a grade says what this resolution says: it was made under it, or it is the report's last and made under an
 * earlier one with the same outcomes. The same outcomes give the same grade, so the later resolution only confirms it.
 *
 * @param resolution the alias of a row with `id` and `outcomes`
 */
export function isGradedAs({ reportId, resolution, grader }: GradedAs): RawBuilder<SqlBool> {
  const newer = sql.ref(resolution);
  return sql`(
    exists (
      select from grades
      where grades.report_id = ${reportId} and grades.resolution_id = ${newer}.id and grades.grader = ${grader}
    ) or exists (
      select from (
        select resolution_id, grader from grades where grades.report_id = ${reportId}
        order by resolution_id desc, id desc limit 1
      ) as last
      join resolutions as before on before.id = last.resolution_id
      where last.grader = ${grader} and last.resolution_id < ${newer}.id and ${sameOutcomes('before', resolution)}
    )
  )`;
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
