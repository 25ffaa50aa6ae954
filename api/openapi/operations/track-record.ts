import {
  exportParameters,
  trackRecordExportShape,
  trackRecordShape,
} from '../../../contract/track-record.js';
import { trackRecordExample, trackRecordRowExample } from '../examples/track-record.js';
import { conditional, notModified, type Operation } from '../operation.js';

export const trackRecordOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/stats/track-record',
    operationId: 'getTrackRecord',
    tag: 'Track record',
    summary: 'Read the track record',
    description:
      'Every graded report counts once and alike, whatever it said: council, market and their blend on the same outcomes, calibration, every member, every flag, and the bets at what they really cost. Intervals are drawn by event. `verdict_text` says in a sentence what may be said of it all, which is often that the council cannot be told from the market.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [conditional],
    answers: [
      {
        status: 200,
        description: 'Counts of this moment, and the figures of `as_of`.',
        shape: trackRecordShape,
        examples: { some: { summary: '48 graded reports', value: trackRecordExample } },
        headers: ['ETag', 'Cache-Control'],
      },
      notModified,
    ],
    problems: ['unavailable'],
  },
  {
    method: 'get',
    path: '/api/stats/track-record/reports',
    operationId: 'exportTrackRecord',
    tag: 'Track record',
    summary: 'Export every graded report',
    description:
      'One row a graded report, in ascending order of `report_id`: all that the published figures follow from, so that anybody can redo them. Sent as it is read; it may be long.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [{ in: 'query', schema: exportParameters, examples: { after: 0, limit: 100 } }],
    answers: [
      {
        status: 200,
        description: 'The rows.',
        shape: trackRecordExportShape,
        examples: { one: { summary: 'One report', value: { reports: [trackRecordRowExample] } } },
        headers: ['Cache-Control'],
      },
    ],
    problems: ['unavailable'],
  },
];
