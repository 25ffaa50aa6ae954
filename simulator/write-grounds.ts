import type { OutcomeProbability } from '../council/deliberation/stages.js';
import { subjectIndex } from '../council/market/outcome-set.js';
import type { CouncilModel } from '../council/models.js';
import { clamp, roundTo } from '../council/numbers.js';
import { uniform } from './digests.js';
import type { ShownChange } from './read-fences.js';
import type { Task } from './read-task.js';

/** What a forecast rests on, drawn from the question's text like the forecast itself, and labelled as simulated. */
export function writeGrounds(
  eventText: string,
  member: CouncilModel,
  task: Task,
  distribution: readonly OutcomeProbability[],
) {
  const percents = distribution.map(({ probability }) => probability);
  const subject = distribution[subjectIndex(!task.independent, percents)] ?? { outcome: '', probability: 0 };
  const draw = (...about: string[]) => uniform(eventText, member, ...about);
  const rates = [0, 1].slice(0, draw('base rates') < 0.6 ? 2 : 1).map(index => {
    const n = 8 + Math.floor(33 * draw('n', String(index)));
    const share = subject.probability / 100 + 0.3 * (draw('k', String(index)) - 0.5);
    const cited = index === 0 ? task.sources.slice(0, 1).map(({ id }) => id) : [];
    return {
      reference_class: `Simulated: ${referenceClasses[index]}`,
      k: clamp(Math.round(share * n), 0, n),
      n,
      period: periods[index],
      sources: cited,
    };
  });
  const [first = { k: 0, n: 1 }] = rates;
  const spread = 4 + 8 * draw('range');
  return {
    rule: 'Simulated: the event resolves by the rules above, as the source that they name reports it.',
    resolution_risk: 1 + Math.floor(6 * draw('resolution risk')),
    base_rates: rates,
    outside_view: {
      outcome: subject.outcome,
      probability: roundTo((100 * (first.k + 1)) / (first.n + 2), 1),
    },
    range: {
      low: roundTo(Math.max(0, subject.probability - spread), 1),
      high: roundTo(Math.min(100, subject.probability + spread), 1),
    },
    would_change:
      task.today === null
        ? []
        : changesOf(eventText, task.today, subject.probability).slice(0, draw('changes') < 0.5 ? 2 : 1),
  };
}

function changesOf(eventText: string, today: string, percent: number) {
  return signals.map((signal, index) => {
    const text = `Simulated: ${signal}`;
    const to = directionOf(eventText, text) === 'up' ? percent + 0.4 * (100 - percent) : 0.6 * percent;
    return { if: text, by: daysAfter(today, 7 + 7 * index), to: roundTo(to, 1) };
  });
}

/** The same for every member, so that changes with the same text can be merged. */
function directionOf(eventText: string, text: string): 'up' | 'down' {
  return uniform(eventText, 'direction', text) < 0.5 ? 'up' : 'down';
}

/** Merges what the members say would change their forecasts: those with the same text are one trigger. */
export function writeTriggers(eventText: string, changes: readonly ShownChange[]) {
  const texts = [...new Set(changes.map(({ text }) => text))];
  return texts.map(text => {
    const same = changes.filter(change => change.text === text);
    const by = same.map(change => change.by).sort()[0] ?? '';
    return { if: text, by, direction: directionOf(eventText, text), members: same.map(({ id }) => id) };
  });
}

function daysAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

const referenceClasses = [
  'comparable events with as much time left.',
  'all events that the same source has decided.',
] as const;

const periods = ['the past 20 years', 'since 2000'] as const;

const signals = [
  'the deciding source announces a change of date.',
  'the body that decides publishes a new statement.',
] as const;
