/** A file of the repository that the service serves to callers, below `/docs/`. */
export interface CallerDocument {
  /** Its path in the repository. */
  readonly file: string;
  /** Its path below `/docs/`. */
  readonly servedAs: string;
  readonly title: string;
  /** What a reader finds in it, for the list in `/llms.txt`. */
  readonly about: string;
  readonly section: 'Documents' | 'Skill' | 'Examples' | 'Optional';
}

/** Every document for callers, in the order in which a new one reads them. Those for operators and contributors are not served. */
export const callerDocuments: readonly CallerDocument[] = [
  {
    file: 'docs/quickstart.md',
    servedAs: 'quickstart.md',
    title: 'Quickstart',
    about: 'from nothing to a report in two minutes, with curl and the command line',
    section: 'Documents',
  },
  {
    file: 'docs/using-the-api.md',
    servedAs: 'using-the-api.md',
    title: 'Using the API',
    about: 'keys, prices and lanes, waiting, limits, the numbers and sources of a report, the track record',
    section: 'Documents',
  },
  {
    file: 'client/README.md',
    servedAs: 'client.md',
    title: 'The client',
    about:
      'the package council-report-client for Node, Deno, Bun and browsers: buy within a price, follow, webhooks',
    section: 'Documents',
  },
  {
    file: 'mcp/README.md',
    servedAs: 'mcp.md',
    title: 'The MCP server',
    about: 'seven tools for assistants, how to connect, and what they can spend',
    section: 'Documents',
  },
  {
    file: 'docs/record.md',
    servedAs: 'record.md',
    title: 'The record',
    about: 'how a stranger checks the track record, which lies are found, and which are not',
    section: 'Documents',
  },
  {
    file: 'skill/council-report/SKILL.md',
    servedAs: 'skill/SKILL.md',
    title: 'Skill',
    about: 'for assistants: ask before spending, and state the limits of a report before its number',
    section: 'Skill',
  },
  reference('reading-a-report', 'Reading a report', 'every field that a report has for an assistant'),
  reference('track-record', 'The track record', 'how to talk about the accuracy of the council'),
  reference('errors', 'Errors', 'every code of an error, and what to do about it'),
  reference('rest', 'Without the MCP server', 'the same steps with curl'),
  example('report.ts', 'TypeScript', 'buys a report within a price, waits and prints it, in 15 lines'),
  example('report.py', 'Python', 'the same'),
  example('report.go', 'Go', 'the same'),
  example('report.sh', 'curl and jq', 'the same'),
  example('verify-record.py', 'Verify the record', 'does every calculation of the track record again'),
  {
    file: 'CHANGELOG.md',
    servedAs: 'changelog.md',
    title: 'Changelog',
    about: 'what callers notice, by release',
    section: 'Optional',
  },
];

function reference(name: string, title: string, about: string): CallerDocument {
  const path = `references/${name}.md`;
  return {
    file: `skill/council-report/${path}`,
    servedAs: `skill/${path}`,
    title,
    about,
    section: 'Skill',
  };
}

function example(name: string, title: string, about: string): CallerDocument {
  return { file: `examples/${name}`, servedAs: `examples/${name}`, title, about, section: 'Examples' };
}
