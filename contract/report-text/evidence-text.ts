import { type CouncilModel, councilModels } from '../../council/models.js';
import type { EvidenceView } from '../deliberation.js';

/**
 * What a report says about its sources, shared by the page and the report in Markdown.
 */

/** What is known of the search without the sources themselves, and without what was not found. */
export type SearchView = Omit<EvidenceView, 'items' | 'not_found'>;

type Source = EvidenceView['items'][number];
type NotFound = NonNullable<EvidenceView['not_found']>[number];

/** How a member is named. Default: by its short name. */
export type NameOf = (model: CouncilModel) => string;

export const shortName: NameOf = model => model;

export const citedNotVerified =
  'Cited, not verified: the members say that these pages say so, and nobody has checked it.';

/** Where the evidence of a report is null although a reader expects some. */
export const didNotSearch = 'Members did not search: every fact is from their own knowledge.';

/** What a fact without a source rests on. */
export const ownKnowledge = 'own knowledge';

/** A limit of the report: what it means that nothing was found, and which searches failed. Null if something was found. */
export function noEvidenceText(search: SearchView | null, nameOf: NameOf = shortName): string | null {
  if (search?.status !== 'none') return null;
  const failures = failuresOf(search, nameOf);
  const cause = failures === '' ? 'found' : 'failed or found';
  return (
    `The members’ searches ${cause} nothing usable${failures === '' ? '' : ` (${failures})`}, so they answered ` +
    'from what they remember. The confidence is lowered by a fifth.'
  );
}

/** How much was found, which searches failed, and what was left out: a sentence each. Empty if members did not search. */
export function searchLines(
  search: SearchView | null,
  sources: number,
  nameOf: NameOf = shortName,
): string[] {
  if (search === null) return [];
  const found = `${sources === 0 ? 'No source' : counted(sources, 'source')}, ${counted(search.searches, 'search', 'searches')}.`;
  const failures = failuresOf(search, nameOf);
  return [
    sources === 0 ? found : `${found} ${citedNotVerified}`,
    ...(failures === '' ? [] : [`Searches that failed: ${failures}.`]),
    ...leftOut(search.removed),
  ];
}

/** "2026-11-12", or "undated". */
export function sourceDate({ published_at: date }: Pick<Source, 'published_at'>): string {
  return date ?? 'undated';
}

/** "Found by claude and gpt." */
export function finderText({ found_by: finders }: Pick<Source, 'found_by'>, nameOf: NameOf = shortName) {
  return `Found by ${listed(finders.map(nameOf))}.`;
}

/** What stands before the list of what was not found. */
export const searchedInVain = 'Searched for and not found, which proves nothing:';

/** "Searched by claude and gpt." */
export function searcherText(
  { searched_by: searchers }: Pick<NotFound, 'searched_by'>,
  nameOf: NameOf = shortName,
) {
  return `Searched by ${listed(searchers.map(nameOf))}.`;
}

function failuresOf({ failures }: SearchView, nameOf: NameOf): string {
  return councilModels
    .flatMap(model => (failures[model] === undefined ? [] : [`${nameOf(model)} ${failures[model]}`]))
    .join('; ');
}

/** What was removed and why, in one sentence; empty if nothing was. */
function leftOut({ market_sources, odds_statements, duplicates, other }: EvidenceView['removed']): string[] {
  const prices = [
    ...(market_sources === 0 ? [] : [`${counted(market_sources, 'page')} of markets or bookmakers`]),
    ...(odds_statements === 0 ? [] : [`${counted(odds_statements, 'statement')} of odds`]),
  ];
  const parts = [
    ...(prices.length === 0 ? [] : [`${listed(prices)}, because members must not see a price`]),
    ...(duplicates === 0 ? [] : [`${counted(duplicates, 'repeat')} of a listed page`]),
    ...(other === 0
      ? []
      : [
          `${counted(other, 'passage')} without a usable page, from after the forecast, or beyond the limits`,
        ]),
  ];
  return parts.length === 0 ? [] : [`Left out: ${parts.join('; ')}.`];
}

/** "claude, gpt and grok" */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
