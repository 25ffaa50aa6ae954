import {
  chainParameters,
  chainShape,
  recordTimestampsShape,
  timestampParameters,
} from '../../../contract/record-chain.js';
import {
  exportParameters,
  trackRecordExportShape,
  trackRecordShape,
} from '../../../contract/track-record.js';
import { chainExample, recordTimestampExample } from '../examples/chain-entries.js';
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
        headers: ['ETag'],
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
      'Returns one row per graded report in ascending order of `report_id`: the data behind the published figures, so that anyone can recompute them. The response is streamed and can be long: keep it, and ask with `If-None-Match`, which is 304 until a report is graded. Only some exports are sent at a time; beyond them the response is 429 or 503 with `Retry-After`.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [{ in: 'query', schema: exportParameters, examples: { after: 0, limit: 100 } }, conditional],
    responses: [
      {
        status: 200,
        description: 'The rows.',
        shape: trackRecordExportShape,
        examples: { one: { summary: 'One report', value: { reports: [trackRecordRowExample] } } },
        headers: ['ETag'],
      },
      notModified,
    ],
    problems: ['unavailable'],
  },
  {
    method: 'get',
    path: '/api/stats/track-record/chain',
    operationId: 'listRecordEntries',
    tag: 'Track record',
    summary: 'Read the chain of forecasts',
    description:
      'Returns every forecast ever completed, live and simulated, in the order of the chain. `hash` covers the previous hash and a salted commitment to the forecast, so that all links can be checked at once, and a forecast that was sold cannot be read or guessed while its event is open. `payload` and `salt` follow once the report is graded, or the market traded no longer when it was last read and its closing time has passed. `examples/verify-record.py` checks everything with the standard library of Python alone.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [{ in: 'query', schema: chainParameters, examples: { after: 0, limit: 100 } }, conditional],
    responses: [
      {
        status: 200,
        description: 'A page of entries, in ascending order. Empty after the newest entry.',
        shape: chainShape,
        examples: { two: { summary: 'A closed and an open event', value: chainExample } },
        headers: ['ETag'],
      },
      notModified,
    ],
    problems: ['unavailable'],
  },
  {
    method: 'get',
    path: '/api/stats/track-record/timestamps',
    operationId: 'listRecordTimestamps',
    tag: 'Track record',
    summary: 'List the time stamps of the chain',
    description:
      'Returns the receipts by which a time-stamp authority (RFC 3161) confirmed, once a day, what the newest hash of the chain was. Nobody can rewrite an entry that is older than a receipt without breaking it, the operator of the service included. The list is empty if the operator has not set `TIMESTAMP_URL`.',
    costs: 'Nothing.',
    access: 'public',
    parameters: [
      { in: 'query', schema: timestampParameters, examples: { after: 0, limit: 100 } },
      conditional,
    ],
    responses: [
      {
        status: 200,
        description: 'A page of receipts, oldest first.',
        shape: recordTimestampsShape,
        examples: { one: { summary: 'One receipt', value: { timestamps: [recordTimestampExample] } } },
        headers: ['ETag'],
      },
      notModified,
    ],
    problems: ['unavailable'],
  },
];
