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
      'Returns the scores of all graded reports: council, market, their blend and the estimate on the same outcomes, the value of cross-review, calibration, each member, each flag, and the bets at their actual cost beside what they claimed. Every event has one vote: it counts in each figure with the mean of its reports, however many were bought. `verdict_text` says what the figures show; often the council is not distinguishable from the market. It follows `confidence_sequence_95`, which may be looked at at any time: a record without a difference ever declares one with a probability of 5 % at most. `slice_adjustment` says how the slices allow for there being several.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [conditional],
    responses: [
      {
        status: 200,
        description: 'Current counts, and the figures of `as_of`.',
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
      'Returns one row per graded report in ascending order of `report_id`: the data behind the published figures, so that anyone can recompute them. The response is streamed and can be long.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [{ in: 'query', schema: exportParameters, examples: { after: 0, limit: 100 } }],
    responses: [
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
