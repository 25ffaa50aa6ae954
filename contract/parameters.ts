import { z } from 'zod';
import { pageSizeDefault, pageSizeMax } from '../council/limits.js';
import { lanes } from '../council/purchase.js';

/** The parameters that more than one route takes, each parsed in one way only. */

const pageMax = 10_000;

const wholeNumber = (name: string, min: number, max: number, otherwise: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .optional()
    .transform(text => (text === undefined ? otherwise : Number(text)))
    .pipe(z.int().min(min).max(max));

export const pagingParameters = {
  page: wholeNumber('page', 1, pageMax, 1),
  per_page: wholeNumber('per_page', 1, pageSizeMax, pageSizeDefault),
};

export const laneParameter = z.enum(lanes).optional();

/** Ids of reports are whole numbers from 1; anything else cannot be one. */
export const reportIdParameter = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be a whole number')
  .transform(Number);
