import { z } from 'zod';
import { type EstimateMethod, estimateFormulas } from '../method.js';
import type { Weights } from './weights.js';

/**
 * Parses weights from JSON that was written by anyone. Other fields are left out.
 * @throws ZodError that names the field
 */
export function parseWeights(json: unknown): Weights {
  return weights.parse(json);
}

function isFormula(name: string): name is EstimateMethod {
  return Object.hasOwn(estimateFormulas, name);
}

const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');
const time = z.iso.datetime();
const count = z.int().positive();

const coefficients = z.object({
  market: z.number(),
  council: z.number(),
  council_by_dispersion: z.number(),
});

const weights: z.ZodType<Weights> = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,63}$/, 'must be lower-case letters, digits, dots and hyphens'),
  kind: z.string().refine(isFormula, 'must name a formula of the estimate'),
  coefficients,
  prior: coefficients,
  lambda: z.number().positive(),
  trained_on: z.object({ events: count, rows: count, until: time.nullable(), rows_sha256: digest }),
  walk_forward: z
    .object({
      brier: z.number().min(0).max(1),
      log_score: z.number().min(0),
      minus_incumbent: z.number(),
      interval_95: z.tuple([z.number(), z.number()]).nullable(),
    })
    .nullable(),
  created_at: time,
});
