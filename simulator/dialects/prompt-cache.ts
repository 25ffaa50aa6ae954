import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Vendor } from '../../council/models.js';
import { type CacheUse, type Caching, charsPerToken } from './dialect.js';

export interface PromptCache {
  /** @param owner what shares a cache: an account and a model at a vendor */
  use(owner: string, text: string, caching: Caching): CacheUse;
}

interface CacheRule {
  /** Shorter beginnings are not stored, even if they are marked. */
  readonly minTokens: number;
  /** The vendor stores by itself, in blocks of so many tokens, and bills nothing for it. Null: it stores at marks. */
  readonly blockTokens: number | null;
  /** After the last use. */
  readonly keptMinutes: number;
}

/** As the vendors document them; where Google and xAI name no size or time, a usual one. */
const rules: Readonly<Record<Vendor, CacheRule>> = {
  anthropic: { minTokens: 512, blockTokens: null, keptMinutes: 5 },
  openai: { minTokens: 1_024, blockTokens: null, keptMinutes: 30 },
  google: { minTokens: 4_096, blockTokens: 128, keptMinutes: 5 },
  xai: { minTokens: 128, blockTokens: 128, keptMinutes: 5 },
};

/** Some 1,000 prompts. What is used longest ago is forgotten first. */
const beginningsMax = 50_000;

/** Remembers how prompts began, as hashes. */
export function createPromptCache(): PromptCache {
  const known = new LRUCache<string, true>({ max: beginningsMax, updateAgeOnGet: true });
  return {
    use: (owner, text, { vendor, settings, marks }) => {
      const rule = rules[vendor];
      const ends = endsOf(rule, text.length, marks);
      const ids = idsOf(`${owner}\n${JSON.stringify(settings)}`, text, ends);
      const found = ids.findLastIndex(id => known.get(id) === true);
      for (const id of ids) known.set(id, true, { ttl: rule.keptMinutes * 60_000 });
      const readTokens = tokensUpTo(ends[found]);
      const writtenTokens = rule.blockTokens === null ? tokensUpTo(ends.at(-1)) - readTokens : 0;
      return { readTokens, writtenTokens, isMarked: rule.blockTokens === null && ends.length > 0 };
    },
  };
}

/** Where the vendor may store, in characters, the shortest beginning first. */
function endsOf({ minTokens, blockTokens }: CacheRule, chars: number, marks: readonly number[]): number[] {
  const ends =
    blockTokens === null
      ? [...marks]
      : Array.from(
          { length: Math.floor(chars / (blockTokens * charsPerToken)) },
          (_, block) => (block + 1) * blockTokens * charsPerToken,
        );
  return ends.filter(end => tokensUpTo(end) >= minTokens);
}

/** The hash of each beginning. No text is read twice. */
function idsOf(seed: string, text: string, ends: readonly number[]): string[] {
  const hash = createHash('sha256').update(`${seed}\n`);
  let from = 0;
  return ends.map(end => {
    hash.update(text.slice(from, end));
    from = end;
    return hash.copy().digest('base64');
  });
}

function tokensUpTo(chars = 0): number {
  return Math.ceil(chars / charsPerToken);
}
