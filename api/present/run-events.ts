import type { ReportEventView } from '../../contract/report-stream.js';
import type { RunEvent } from '../../council/deliberation/run-event.js';
import { councilModels } from '../../council/models.js';
import type { StreamRow } from '../../db/reports/report-stream.js';
import { presentFailure } from './report.js';

/** All events of a report so far. The last one is its end, if it has ended. */
export function presentStream({ reportId, status, failure, events }: StreamRow): readonly ReportEventView[] {
  const of = new Map<string, number>();
  const done = new Map<string, number>();
  const happened = events.map((event, index) => presentEvent(event, index + 1, of, done));
  const end = { id: events.length + 1, data: { report_id: reportId, status } };
  if (status === 'completed') return [...happened, { ...end, event: 'report.completed' }];
  // A failed report, and no other, has a failure.
  if (failure === null) return happened;
  const data = { ...end.data, failure: presentFailure(failure) };
  return [...happened, { ...end, event: 'report.failed', data }];
}

/** @param of how many models each stage asks, `done` how many have answered: both are counted on */
function presentEvent(
  event: RunEvent,
  id: number,
  of: Map<string, number>,
  done: Map<string, number>,
): ReportEventView {
  switch (event.event) {
    case 'stage.started':
      of.set(event.stage, event.of);
      return { id, event: event.event, data: { stage: event.stage, of: event.of } };
    case 'member.answered': {
      const { stage, model } = event;
      const answers = (done.get(stage) ?? 0) + 1;
      done.set(stage, answers);
      // A run that a worker of 1.0.0 began has no start of its stages.
      const data = { stage, model, done: answers, of: of.get(stage) ?? councilModels.length };
      return { id, event: event.event, data };
    }
    case 'member.lost': {
      const { stage, model, kind } = event;
      return { id, event: event.event, data: { stage, model, kind } };
    }
  }
}
