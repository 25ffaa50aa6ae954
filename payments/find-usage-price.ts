import type { Stripe } from 'stripe';

/** Meter events of this name are summed up, in cents of a dollar. */
export const usageMeterName = 'council_report_usage';
/** By this key the price is found again: one cent a unit, so that the amount is ours to say. */
const usagePriceKey = 'council_report_usage_usd_cent';

/** @returns the id of the metered price; it and its meter are made where they are missing. */
export function findUsagePrice(stripe: Stripe): Promise<string> {
  return findOrMake(
    () => findPrice(stripe),
    async () => makePrice(stripe, await findMeter(stripe)),
  );
}

/** Stripe keeps the names of meters and the keys of prices unique, so a maker that comes second finds the first's. */
async function findOrMake(find: () => Promise<string | null>, make: () => Promise<string>): Promise<string> {
  const found = await find();
  if (found !== null) return found;
  try {
    return await make();
  } catch (error) {
    const madeByAnother = await find();
    if (madeByAnother === null) throw error;
    return madeByAnother;
  }
}

async function findPrice(stripe: Stripe): Promise<string | null> {
  const { data } = await stripe.prices.list({ lookup_keys: [usagePriceKey], active: true, limit: 1 });
  return data[0]?.id ?? null;
}

async function makePrice(stripe: Stripe, meter: string): Promise<string> {
  const { id } = await stripe.prices.create({
    currency: 'usd',
    unit_amount: 1,
    lookup_key: usagePriceKey,
    recurring: { interval: 'month', usage_type: 'metered', meter },
    product_data: { name: 'Council reports' },
  });
  return id;
}

function findMeter(stripe: Stripe): Promise<string> {
  return findOrMake(
    async () => {
      for await (const meter of stripe.billing.meters.list({ status: 'active', limit: 100 })) {
        if (meter.event_name === usageMeterName) return meter.id;
      }
      return null;
    },
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
