import type { CouncilModel } from '../models.js';
import { seededShuffle } from '../random.js';
import { type CitedPage, inTurns } from './cited-pages.js';
import { type MemberFindings, pageKey } from './found-pages.js';

export const packMaxPages = 12;
export const packMaxChars = 6_000;

/**
 * A member's own pages, in the order in which it cites them, as far as they fit. Their text is what its own search
 * stated: what others stated on the same page reaches it in the cross-review.
 */
export interface OwnPack {
  readonly model: CouncilModel;
  readonly pages: readonly PackedPage[];
}

/** A page as one pack shows it. */
export interface PackedPage {
  readonly cited: CitedPage;
  readonly text: string;
}

/** The packs of the members that found something. */
export function ownPacks(cited: readonly CitedPage[], findings: readonly MemberFindings[]): OwnPack[] {
  const byKey = new Map(cited.map(each => [each.page.key, each]));
  return findings
    .map(({ model, statements }) => {
      const keys = statements.flatMap(({ citations }) => citations.map(pageKey));
      const pages = [...new Set(keys)].flatMap((key): PackedPage[] => {
        const page = byKey.get(key);
        const text = page?.ownTexts.get(model);
        return page === undefined || text === undefined ? [] : [{ cited: page, text }];
      });
      return { model, pages: fitting(pages) };
    })
    .filter(({ pages }) => pages.length > 0);
}

/** The pack of members without one of their own: the finders' pages by turns, in an order that the seed draws. */
export function unionPack(own: readonly OwnPack[], seed: string): PackedPage[] {
  const lists = seededShuffle(`${seed}/evidence/turns`, own).map(({ pages }) => pages);
  const found = new Set(inTurns(lists).map(({ cited }) => cited));
  return fitting([...found].map(cited => ({ cited, text: cited.text })));
}

/** The first pages that fit; a long one is passed over for a shorter one. */
function fitting(pages: readonly PackedPage[]): PackedPage[] {
  const chosen: PackedPage[] = [];
  let chars = 0;
  for (const page of pages) {
    if (chosen.length === packMaxPages) break;
    if (chars + page.text.length > packMaxChars) continue;
    chosen.push(page);
    chars += page.text.length;
  }
  return chosen;
}
