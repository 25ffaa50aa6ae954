/** What the house asks the models with; callers' own keys look otherwise. */
export const houseKeys = {
  openai: 'house-openai-key',
  anthropic: 'house-anthropic-key',
  google: 'house-google-key',
  xai: 'house-xai-key',
} as const;
