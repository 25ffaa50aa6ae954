import { afterEach } from '@jest/globals';
import type { ReportActivities } from '../../../activities/report/report-activities.js';

/** The activities of a run, each of which a test may replace. No replacement outlives its test. */
export function replaceableActivities() {
  const real: any = {};
  const replaced: any = {};
  afterEach(() => {
    for (const name of Object.keys(replaced)) delete replaced[name];
  });
  const around = (activities: ReportActivities): any => {
    Object.assign(real, activities);
    return Object.fromEntries(
      Object.keys(activities).map(name => [name, (input: any) => (replaced[name] ?? real[name])(input)]),
    );
  };
  return { real: real as ReportActivities, replaced: replaced as Partial<ReportActivities>, around };
}
