import type { Stripe } from 'stripe';

/** Name of the meter events. Stripe sums their values, in US cents. */
export const usageMeterName = 'council_report_usage';
/** Lookup key of the price: one cent per unit, so that the service determines the amount. */
const usagePriceKey = 'council_report_usage_usd_cent';

/** Returns the id of the metered price. Creates the price and its meter if they do not exist. */
export function findUsagePrice(stripe: Stripe): Promise<string> {
  return findOrCreate(
    () => findPrice(stripe),
    async () => createPrice(stripe, await findOrCreateMeter(stripe)),
  );
}

/**
 * Stripe enforces unique meter names and price keys, so a concurrent second creation fails and finds the
 * first.
 */
async function findOrCreate(
  find: () => Promise<string | null>,
  create: () => Promise<string>,
): Promise<string> {
  const found = await find();
  if (found !== null) return found;
  try {
    return await create();
  } catch (error) {
    const createdConcurrently = await find();
    if (createdConcurrently === null) throw error;
    return createdConcurrently;
  }
}

async function findPrice(stripe: Stripe): Promise<string | null> {
  const { data } = await stripe.prices.list({ lookup_keys: [usagePriceKey], active: true, limit: 1 });
  return data[0]?.id ?? null;
}

async function createPrice(stripe: Stripe, meter: string): Promise<string> {
  const { id } = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 1,
    lookup_key: usagePriceKey,
    recurring: { interval: 'month', usage_type: 'metered', meter },
    product_data: { name: 'Council reports' },
  });
  return id;
}

function findOrCreateMeter(stripe: Stripe): Promise<string> {
  return findOrCreate(
    () => findMeter(stripe),
    async () => {
      const { id } = await stripe.billing.meters.create({
        display_name: 'Council report usage, USD cents',
        event_name: usageMeterName,
        default_aggregation: { formula: 'sum' },
        customer_mapping: { type: 'by_id', event_payload_key: 'stripe_customer_id' },
        value_settings: { event_payload_key: 'value' },
      });
      return id;
    },
  );
}

/** The id of the meter; null if no subscription was ever begun. */
export async function findMeter(stripe: Stripe): Promise<string | null> {
  for await (const meter of stripe.billing.meters.list({ status: 'active', limit: 100 })) {
    if (meter.event_name === usageMeterName) return meter.id;
  }
  return null;
}
