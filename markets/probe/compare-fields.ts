import { z } from 'zod';
import type { Venue } from '../../council/event.js';
import table from './known-fields.json' with { type: 'json' };

/** What differs between an object of a venue's answer and the fields that this service knows. */
export interface FieldChange {
  /** `missing` or `type`: a field that is read here. `unknown`: one that the venue added. */
  readonly kind: 'missing' | 'type' | 'unknown';
  readonly field: string;
  /** The JSON types that are read, and the one that was found; null where there is none. */
  readonly expected: string | null;
  readonly found: string | null;
}

export type ProbedVenue = Exclude<Venue, 'sample'>;

/** `series`: of Kalshi, with category and fees. `resolution`: of Polymarket's oracle. `price`: a point of past prices. */
export type ProbedObject = 'event' | 'market' | 'series' | 'resolution' | 'price';

/**
 * Compares an object of a venue's answer with the known fields. An optional field may be missing or null. Values are
 * not compared and not named: an answer is untrusted text.
 */
export function compareFields(
  venue: ProbedVenue,
  object: ProbedObject,
  raw: Readonly<Record<string, unknown>>,
): readonly FieldChange[] {
  const known: Partial<Record<ProbedObject, z.output<typeof fieldsShape>>> = knownFields[venue];
  const { used, unused } = known[object] ?? { used: {}, unused: [] };
  const read = Object.entries(used).flatMap(([field, type]) => changeOf(field, type, raw[field]));
  const added = Object.keys(raw)
    .filter(field => !(field in used) && !unused.includes(field))
    .sort()
    .map(field => ({ kind: 'unknown', field, expected: null, found: typeOf(raw[field]) }) as const);
  return [...read, ...added];
}

function changeOf(field: string, type: string, value: unknown): readonly FieldChange[] {
  const expected = type.replace('?', '');
  const isOptional = expected !== type;
  if (value === undefined || value === null) {
    return isOptional ? [] : [{ kind: 'missing', field, expected, found: value === null ? 'null' : null }];
  }
  const found = typeOf(value);
  return found === expected ? [] : [{ kind: 'type', field, expected, found }];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

const fieldsShape = z.strictObject({
  /** The fields that are parsed, with their JSON type; `?` marks those that may be missing or null. */
  used: z.record(z.string(), z.string().regex(/^(string|number|boolean|list|object)\??$/)),
  /** Fields that the venue is known to send and that are not read. */
  unused: z.array(z.string()),
});

const objectsShape = z.strictObject({ event: fieldsShape, market: fieldsShape, price: fieldsShape });

export const knownFields = z
  .strictObject({
    polymarket: objectsShape.extend({ resolution: fieldsShape }),
    kalshi: objectsShape.extend({ series: fieldsShape }),
  })
  .parse(table);
