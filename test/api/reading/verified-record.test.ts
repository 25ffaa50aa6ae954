import { expect, test } from '@jest/globals';
import { hashedBytes } from '../../../db/track-record/entry-hash.js';
import { readNewestEntry } from '../../../db/track-record/record.js';
import { refreshTrackRecord } from '../../../db/track-record/track-record.js';
import { gradeForecast } from '../../../record/grades/grade.js';
import { plantGrades, plantReports } from '../../support/record/plant-record.js';
import { randomReports } from '../../support/record/random-record.js';
import { verifyAsStranger } from '../../support/record/verify-as-stranger.js';
import { createDatedAuthority, type DatedAuthority } from '../../support/timestamps/dated-authority.js';
import { hasOpenssl, skippedWithoutOpenssl } from '../../support/timestamps/openssl-authority.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ worker: false });
const testIfThere = hasOpenssl ? test : test.skip;

/** The forger's tests serve what they made up; here the service itself answers, with all that it publishes. */
testIfThere(
  `a stranger can verify the record of a service that is time-stamped${skippedWithoutOpenssl}`,
  async () => {
    const authority = await createDatedAuthority('tests');
    await plantStampedRecord(authority);
    const { code, text } = await verifyAsStranger(service.url, authority);
    expect(text).toContain(
      'Verified: 1 receipts are signed by the authority over the bytes of their entries.',
    );
    expect(text).toMatch(
      /Verified: ([1-9]\d+) of \1 graded forecasts have a receipt from before their outcome\./,
    );
    expect(text).toMatch(
      /Verified: \d+ graded reports are as recorded, and their outcomes, scores and bets follow\./,
    );
    expect(text).toContain(
      'Verified: every published mean, interval, sequence, bin and slice follows from the rows.',
    );
    // The events of the fixtures end in a distant year.
    expect([text.match(/(\d+) faults\./)?.[1], code]).toEqual(['0', 3]);
  },
);

async function plantStampedRecord(authority: DatedAuthority): Promise<void> {
  const { db, pool } = service.database;
  const made = randomReports(200, 80);
  const forecasts = await plantReports(
    service.database,
    made.map(({ forecast }) => forecast),
  );
  const head = await readNewestEntry(db);
  if (head === null) throw new Error('the chain is empty');
  const at = new Date();
  await pool.query(
    `insert into record_timestamps (utc_day, seq, hash, authority, token, stamped_at) values (current_date, $1, $2, $3, $4, $5)`,
    [head.seq, head.hash, 'https://timestamps.example/tsr', await authority.stamp(hashedBytes(head), at), at],
  );
  const grades = forecasts.flatMap((forecast, index) => {
    const outcomes = made[index]?.resolutions ?? {};
    const grade = gradeForecast(forecast, outcomes);
    return grade === 'pending' ? [] : [{ reportId: forecast.report_id, grade, outcomes }];
  });
  await plantGrades(service.database, grades);
  await refreshTrackRecord(db, true, new Date());
}
