import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CouncilReports } from '../../dist/client/council-reports.js';

/**
 * `npm run examples`: writes the examples of events, reports and the track record in `contract/examples/` from the
 * responses of a service that `npm start` has just set up. COUNCIL_API_KEY is the key of its demo account. The
 * simulator neither fails a run nor asks a time-stamp authority, so the examples of both are written by hand.
 */
const eventId = 'sample-fed-cut-2031';
const baseUrl = process.env['COUNCIL_BASE_URL'] ?? 'http://127.0.0.1:3000';
const folder = join(import.meta.dirname, '../../contract/examples');

const key = process.env['COUNCIL_API_KEY'];
if (key === undefined) throw new Error('Set COUNCIL_API_KEY to the key that `npm start` printed.');

const headers = { 'x-api-key': key };
const { reports } = new CouncilReports({ baseUrl, headers });
const receipt = await reports.buy({ event_id: eventId }, { idempotencyKey: randomUUID() });
const isFresh = receipt.status === 'pending';
if (!isFresh) throw new Error(`A report on ${eventId} exists: start the service with a new COUNCIL_HOME.`);
const states = [];
// Read again at each event, because the examples are whole reports.
for await (const _ of reports.events(receipt.report_id)) states.push(await reports.get(receipt.report_id));
const completed = await reports.wait(receipt.report_id);
write('reports', {
  listReports: { one: await get('/api/reports?per_page=1') },
  getReport: { completed, researching: lastAt('research'), processing: lastAt('cross_review') },
  getSampleReport: { completed: await get('/api/reports/sample') },
});

write('events', {
  searchEvents: { one: await get('/api/events?search=federal+reserve&status=open') },
  getEvent: { yes_or_no: await get(`/api/events/${eventId}`) },
});

const chain = '/api/stats/track-record/chain?limit=1';
const [closed] = (await get(chain)).entries;
const [open] = (await get(`${chain}&after=${completed.record.seq - 1}`)).entries;
write('track-record', {
  getTrackRecord: { some: await get('/api/stats/track-record') },
  exportTrackRecord: { one: await get('/api/stats/track-record/reports?limit=1') },
  listRecordEntries: { two: { entries: [closed, open] } },
});

execFileSync('node_modules/.bin/biome', ['format', '--write', folder], { stdio: 'inherit' });

async function get(path) {
  const response = await fetch(`${baseUrl}${path}`, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}

/** The last state in which the members of a stage were at work. */
function lastAt(stage) {
  const found = states.findLast(({ progress }) => progress?.stage === stage && progress.done < progress.of);
  if (found === undefined) throw new Error(`The run passed ${stage} between two reads: try again.`);
  return found;
}

/** Replaces the captured examples of a file; the others stay. */
function write(name, captured) {
  const path = join(folder, `${name}.json`);
  const examples = JSON.parse(readFileSync(path, 'utf8'));
  for (const [operation, bodies] of Object.entries(captured))
    examples[operation] = { ...examples[operation], ...bodies };
  writeFileSync(path, JSON.stringify(examples, null, 2));
}
