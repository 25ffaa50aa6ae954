/** The web page, rendered for whoever has no script, or has none yet. */
export interface PageRenderer {
  /** Folder of the files that the page loads; their names hold a hash of what is in them. */
  readonly assets: string;
  /** @param apiUrl where the public API is asked, with these headers, for what the page shows */
  render(
    url: string,
    apiUrl: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly html: string }>;
}
