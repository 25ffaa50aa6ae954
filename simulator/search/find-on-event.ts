import type { CouncilModel } from '../../council/models.js';
import { uniform } from '../digests.js';
import type { Findings, SimulatedPage } from './findings.js';

/**
 * What a member finds on an event: 3 to 5 statements on made-up pages under `example.org`, the last of them without a
 * page, and one or two lines on what it did not find. All members find the event's calendar, and each finds a page
 * without a date. The same event, member and day give the same findings.
 *
 * @param today The day of the forecast (`YYYY-MM-DD`), after all dates of the pages; null leaves the dates out.
 */
export function findOnEvent(eventText: string, member: CouncilModel, today: string | null): Findings {
  const draw = (...seed: string[]) => uniform(eventText, member, 'research', ...seed);
  const drawn = (sites: readonly Site[], count: number) =>
    sites.toSorted((a, b) => draw('site', a.host) - draw('site', b.host)).slice(0, count);
  const sites = [calendar, ...drawn(undatedSites, 1), ...drawn(datedSites, Math.floor(3 * draw('count')))];
  const finder = member === 'gpt' ? '?utm_source=openai' : '';
  return {
    queries: queriesOn(eventText).slice(0, 1 + Math.floor(3 * draw('queries'))),
    prose: '',
    statements: [
      ...sites.map(site => ({
        text: `Simulated: ${saidBy(site, draw('text', site.host), dayOf(site, eventText, today))}`,
        page: pageOf(site, eventText, today, finder),
      })),
      { text: 'Simulated: taken together, these pages leave the question open.', page: null },
      ...unfound
        .toSorted((a, b) => draw('unfound', a) - draw('unfound', b))
        .slice(0, 1 + Math.floor(2 * draw('unfound')))
        .map(text => ({ text: `Not found: ${text} (simulated).`, page: null })),
    ],
  };
}

interface Site {
  readonly host: string;
  readonly name: string;
  /** What its pages can say, with the page's date as `{date}`. No number has the form of a price. */
  readonly says: readonly string[];
}

/** What a search can find nothing on. */
const unfound: readonly string[] = [
  'a statement by the body that decides',
  'a report that the date was moved',
  'a second source for the latest figure',
];

function saidBy({ says }: Site, drawn: number, day: string | null): string {
  return (says[Math.floor(says.length * drawn)] ?? '').replace('{date}', day ?? 'an unknown date');
}

const calendar: Site = {
  host: 'calendar.example.org',
  name: 'official calendar',
  says: [
    'the official calendar still lists the decision on the day that was announced.',
    'the official calendar shows no change of date since it was published.',
    'the official calendar lists one more public session before the decision.',
  ],
};

/** Pages without a date. */
const undatedSites: readonly Site[] = [
  {
    host: 'rules.example.org',
    name: 'how the result is announced',
    says: [
      'the organiser’s own page explains which body decides and where it announces the result.',
      'the organiser’s own page says that a delay does not change what counts as the result.',
    ],
  },
  {
    host: 'archive.example.org',
    name: 'earlier cases',
    says: [
      'an archive of earlier cases counts 31 from 2004 to 2024, of which 7 ended this way.',
      'an archive of earlier cases shows late changes in 3 of 24 since 2011.',
    ],
  },
];

const datedSites: readonly Site[] = [
  {
    host: 'news.example.org',
    name: 'news report',
    says: [
      'a news agency reports that the parties met again and named no result.',
      'a news agency reports that the timetable holds, according to two officials.',
    ],
  },
  {
    host: 'statistics.example.org',
    name: 'statistics',
    says: [
      'the latest figure of the statistics office, of {date}, is 412; within twelve months it was between 371 and 436.',
      'the figure of the statistics office rose from 398 to 412 until {date}, and usually moves by 9 in a month.',
    ],
  },
  {
    host: 'press.example.org',
    name: 'press release',
    says: [
      'a press release confirms who takes part and sets no new conditions.',
      'a press release says that all required papers were handed in on time.',
    ],
  },
  {
    host: 'register.example.org',
    name: 'public register',
    says: [
      'the public register has no entry yet that would decide the question.',
      'the public register shows a filing that has to be answered before the decision.',
    ],
  },
];

/** @param finder What OpenAI adds to every address that it cites. */
function pageOf(site: Site, eventText: string, today: string | null, finder: string): SimulatedPage {
  const { host, name } = site;
  const path = Math.floor(uniform(eventText, 'page', host) * 2 ** 32).toString(16);
  return {
    url: `https://${host}/simulated/${path}${finder}`,
    title: `Simulated page: ${name}`,
    pageAge: dayOf(site, eventText, today),
  };
}

/** The date of a site's page in words; null if it states none. */
function dayOf({ host }: Site, eventText: string, today: string | null): string | null {
  const isDated = undatedSites.every(site => site.host !== host);
  return isDated && today !== null ? inWords(today, -daysBefore(eventText, host)) : null;
}

/** 1 to 40 days. */
function daysBefore(eventText: string, host: string): number {
  return 1 + Math.floor(40 * uniform(eventText, 'age', host));
}

function inWords(day: string, plusDays: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + plusDays);
  return longDate.format(date);
}

const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const queryMaxChars = 80;

function queriesOn(eventText: string): string[] {
  const subject = eventText
    .replace(/^Title: /, '')
    .slice(0, queryMaxChars)
    .trim();
  return [`${subject} latest news`, `${subject} official date`, `${subject} earlier cases`];
}
