import type { CouncilModel } from '../models.js';
import { seededShuffle } from '../random.js';
import { type CitedPage, inTurns } from './cited-pages.js';
import { type MemberFindings, pageKey } from './found-pages.js';

export const packMaxPages = 12;
export const packMaxChars = 6_000;

/** A member's own pages, in the order in which it cites them, as far as they fit. */
export interface OwnPack {
  readonly model: CouncilModel;
  readonly pages: readonly CitedPage[];
}

/** The packs of the members that found something. */
export function ownPacks(cited: readonly CitedPage[], findings: readonly MemberFindings[]): OwnPack[] {
  const byKey = new Map(cited.map(each => [each.page.key, each]));
  return findings
    .map(({ model, statements }) => {
      const keys = statements.flatMap(({ citations }) => citations.map(pageKey));
      return { model, pages: fitting([...new Set(keys)].flatMap(key => byKey.get(key) ?? [])) };
    })
    .filter(({ pages }) => pages.length > 0);
}

/** For members without a pack of their own: the finders' pages by turns, in an order that the seed draws. */
export function unionPack(own: readonly OwnPack[], seed: string): CitedPage[] {
  const lists = seededShuffle(`${seed}/evidence/turns`, own).map(({ pages }) => pages);
  return fitting([...new Set(inTurns(lists))]);
}

/** The first pages that fit; a long one is passed over for a shorter one. */
function fitting(pages: readonly CitedPage[]): CitedPage[] {
  const chosen: CitedPage[] = [];
  let chars = 0;
  for (const page of pages) {
    if (chosen.length === packMaxPages) break;
    if (chars + page.text.length > packMaxChars) continue;
    chosen.push(page);
    chars += page.text.length;
  }
  return chosen;
}
