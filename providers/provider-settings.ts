/** What every adapter is built from. Nothing else is read: no environment variable, no file. */
export interface ProviderSettings {
  readonly apiKey: string;
  /** The vendor's own name of the model. */
  readonly modelId: string;
  /** Unset: the vendor's public address. */
  readonly baseUrl?: string | undefined;
}
