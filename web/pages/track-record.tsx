import { useQuery } from '@tanstack/react-query';
import type { TrackRecordView } from '../../contract/track-record.js';
import { useApi } from '../api/api.js';
import { trackRecordQuery } from '../api/queries.js';
import { minute } from '../shared/format.js';
import { Notice } from '../shared/notice.js';
import { QueryResult } from '../shared/query-result.js';
import { BetRecordPart } from '../track-record/bets.js';
import { EvidencePart } from '../track-record/by-evidence.js';
import { CalibrationPart } from '../track-record/calibration.js';
import { CountsPart, VerifyPart } from '../track-record/counts.js';
import { DifferencePart, GroupsPart } from '../track-record/differences.js';
import { MembersPart, ScoresPart } from '../track-record/scores.js';
import { WealthPart } from '../track-record/wealth.js';

/** How good the forecasts were: the verdict, then the figures behind it. */
export function TrackRecordPage() {
  const query = useQuery(trackRecordQuery(useApi()));
  return (
    <div className="record">
      <h1>Track record</h1>
      <QueryResult query={query} what="the track record">
        {record => <TrackRecord record={record} />}
      </QueryResult>
    </div>
  );
}

const noBreakSpace = '\u00a0';

function TrackRecord({ record }: { record: TrackRecordView }) {
  return (
    <>
      <p className="verdict">{record.verdict_text.replaceAll(' %', `${noBreakSpace}%`)}</p>
      {record.simulated ? (
        <Notice tone="warn" title="SIMULATED.">
          All figures come from simulated models. They show how the record is kept, and say nothing about the
          quality of a council of real models. A new service begins with reports on sample events that have
          resolved; their dates, prices and outcomes are invented.
        </Notice>
      ) : null}
      <p className="muted">
        {record.as_of === null
          ? 'The figures have not been calculated yet.'
          : `Figures calculated on ${minute(record.as_of)}.`}{' '}
        The counts are current.
      </p>
      <CountsPart counts={record.counts} />
      {record.council.n === 0 ? <NothingGraded graded={record.counts.graded} /> : <Figures record={record} />}
      <VerifyPart record={record.record} proof={record.proof} />
    </>
  );
}

function NothingGraded({ graded }: { graded: number }) {
  return (
    <section className="part">
      <h2>{graded === 0 ? 'Nothing has been graded yet' : 'Figures are being calculated'}</h2>
      <p>
        {graded === 0
          ? 'A report is graded once its event is resolved. It is compared with the market prices at the time of the report. Its scores are then shown here, whether good or bad.'
          : 'Reports have been graded. Their figures are calculated when the grading batch ends. Check again in a few minutes.'}
      </p>
    </section>
  );
}

function Figures({ record }: { record: TrackRecordView }) {
  return (
    <>
      <ScoresPart record={record} />
      <DifferencePart record={record} />
      <CalibrationPart bins={record.calibration} />
      <MembersPart record={record} />
      <GroupsPart record={record} />
      <EvidencePart record={record} />
      <BetRecordPart record={record} />
      <WealthPart record={record} />
    </>
  );
}
