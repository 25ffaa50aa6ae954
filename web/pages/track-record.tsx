import { useQuery } from '@tanstack/react-query';
import type { TrackRecordView } from '../../contract/track-record.js';
import { useApi } from '../api/api.js';
import { trackRecordQuery } from '../api/queries.js';
import type { Found, Loading as LoadingPage, Page } from '../app/page.js';
import { minute } from '../shared/format.js';
import { Loading, Notice, ProblemNotice } from '../shared/notice.js';
import { BetsPart } from '../track-record/bets.js';
import { CalibrationPart } from '../track-record/calibration.js';
import { CountsPart, HowToCheckPart } from '../track-record/counts.js';
import { DifferencePart, GroupsPart } from '../track-record/differences.js';
import { MembersPart, ScoresPart } from '../track-record/scores.js';

export const trackRecordPage: Page = {
  path: '/track-record',
  title: 'Track record · Council Report',
  status: 200,
  Content,
  load,
};

const noBreakSpace = '\u00a0';

async function load({ api, queryClient }: LoadingPage): Promise<Found | undefined> {
  await queryClient.prefetchQuery(trackRecordQuery(api));
  return queryClient.getQueryData(trackRecordQuery(api).queryKey) === undefined ? { status: 503 } : undefined;
}

function Content() {
  const record = useQuery(trackRecordQuery(useApi()));
  return (
    <div className="record">
      <h1>Track record</h1>
      {record.isError ? (
        <ProblemNotice error={record.error} onRetry={() => void record.refetch()} />
      ) : record.data === undefined ? (
        <Loading what="the track record" />
      ) : (
        <WholeRecord record={record.data} />
      )}
    </div>
  );
}

function WholeRecord({ record }: { record: TrackRecordView }) {
  return (
    <>
      <p className="verdict">{record.verdict_text.replaceAll(' %', `${noBreakSpace}%`)}</p>
      {record.simulated ? (
        <Notice tone="warn" title="SIMULATED.">
          Every figure here is of simulated models. It shows how the record is kept, and says nothing about
          how good a council of real ones is.
        </Notice>
      ) : null}
      <p className="muted">
        {record.as_of === null
          ? 'No figures have been worked out yet.'
          : `Figures of ${minute(record.as_of)}.`}{' '}
        The counts are of this moment.
      </p>
      <CountsPart counts={record.counts} />
      {record.council.n === 0 ? <NothingGraded graded={record.counts.graded} /> : <Figures record={record} />}
      <HowToCheckPart record={record.record} />
    </>
  );
}

function NothingGraded({ graded }: { graded: number }) {
  return (
    <section className="part">
      <h2>{graded === 0 ? 'Nothing has been graded yet' : 'The figures are on their way'}</h2>
      <p>
        {graded === 0
          ? 'A report is graded when its event has been decided: beside the market, on the prices of the moment at which it was made. From then on its scores stand here, good or bad.'
          : 'Reports have been graded, and their figures are worked out at the end of the batch that grades them. Look again in a few minutes.'}
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
      <MembersPart members={record.by_model} />
      <GroupsPart record={record} />
      <BetsPart bets={record.bets} />
    </>
  );
}
