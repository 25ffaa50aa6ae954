/** A fixed number of purchased credits at a fixed price. */
export interface Pack {
  readonly id: PackId;
  readonly credits: number;
  readonly priceUsdCents: number;
}

export const packIds = ['starter', 'standard', 'large'] as const;

export type PackId = (typeof packIds)[number];

/** What can be bought: the more at once, the less a credit costs, between 0.010 and 0.014 USD. */
export const packs: Readonly<Record<PackId, Pack>> = {
  starter: { id: 'starter', credits: 500, priceUsdCents: 700 },
  standard: { id: 'standard', credits: 2_000, priceUsdCents: 2_400 },
  large: { id: 'large', credits: 10_000, priceUsdCents: 10_000 },
};

/**
 * How many of a pack's credits go back when so much of its price was refunded. Rounded up: a credit that was not paid
 * for whole is not kept.
 */
export function creditsRefunded(pack: Omit<Pack, 'id'>, refundedUsdCents: number): number {
  return Number(
    (BigInt(pack.credits) * BigInt(refundedUsdCents) + BigInt(pack.priceUsdCents) - 1n) /
      BigInt(pack.priceUsdCents),
  );
}
