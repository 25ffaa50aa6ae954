import type { CouncilModel } from '../../council/models.js';
import { uniform } from '../digests.js';
import type { Findings, SimulatedPage } from './findings.js';

/**
 * What a member finds on an event: 3 to 5 statements on made-up pages under `example.org`, the last of them without a
 * page. All members find the event's calendar, and each finds a page without a date. The same event, member and day
 * give the same findings.
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
        text: `Simulated: ${site.says[Math.floor(site.says.length * draw('text', site.host))] ?? ''}`,
        page: pageOf(site, eventText, today, finder),
      })),
      { text: 'Simulated: taken together, these pages leave the question open.', page: null },
    ],
  };
}

interface Site {
  readonly host: string;
  readonly name: string;
  /** What its pages can say; no numbers, so that nothing looks like a price. */
  readonly says: readonly string[];
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
      'an archive of earlier cases describes how they ended, mostly as they had begun.',
      'an archive of earlier cases shows that late changes were rare.',
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
      'the statistics office counts fewer such cases this year than in the year before.',
      'the statistics office published its latest figures without a revision.',
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
function pageOf(
  { host, name }: Site,
  eventText: string,
  today: string | null,
  finder: string,
): SimulatedPage {
  const isDated = undatedSites.every(site => site.host !== host);
  const path = Math.floor(uniform(eventText, 'page', host) * 2 ** 32).toString(16);
  return {
    url: `https://${host}/simulated/${path}${finder}`,
    title: `Simulated page: ${name}`,
    pageAge: isDated && today !== null ? inWords(today, -daysBefore(eventText, host)) : null,
  };
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
