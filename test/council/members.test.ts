import { expect, test } from '@jest/globals';
import { requestedModels } from '../../api/present/report.js';
import { councilModels } from '../../council/models.js';
import { stripIdentity } from '../../council/prompts/anonymous-opinion.js';
import { vendorEndpoints } from '../../simulator/dialects/vendor-endpoints.js';
import { memberName, members } from '../../web/shared/format.js';
import { shippedCatalogue } from '../providers/catalogue.js';
import { event, priced } from './fixtures.js';

const catalogue = shippedCatalogue();

/** Lists that a new member must join, and that the compiler does not compare. */
test('every member of the council is in every list of members', () => {
  expect([...requestedModels].sort()).toEqual([...councilModels].sort());
  expect(members).toEqual(councilModels);
});

test.each(councilModels)('%s is not named in an anonymous opinion', model => {
  const other = event([priced('A', 0.5), priced('B', 0.5)]);
  for (const name of [memberName(model), catalogue[model].modelId])
    expect(stripIdentity(`This is ${name}.`, other)).not.toContain(name);
});

test.each(councilModels)('the simulated OpenRouter serves the model of %s', model => {
  expect(vendorEndpoints.openrouter.memberOf(catalogue[model].openRouterModelId)).toBe(model);
});
