/** The companies whose APIs are spoken. A council member is configured onto one of them (`models.yaml`). */
export const vendors = ['openai', 'anthropic', 'google', 'xai'] as const;

export type Vendor = (typeof vendors)[number];
