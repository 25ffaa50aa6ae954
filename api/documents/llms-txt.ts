import { type CallerDocument, callerDocuments } from './caller-documents.js';

/**
 * `/llms.txt`, in the form of llmstxt.org: what an assistant should read about this service, and where.
 * @param publicUrl the origin of this service
 */
export function llmsTxt(publicUrl: string): string {
  const listOf = (section: CallerDocument['section']) =>
    callerDocuments
      .filter(each => each.section === section)
      .map(({ title, servedAs, about }) => `- [${title}](${publicUrl}/docs/${servedAs}): ${about}`)
      .join('\n');
  return `# Council Report Service

> A paid API that puts a prediction-market event before a council of four AI models and sells the report: an estimate for every outcome beside council and market, a verdict, the sources, and ranked bets with their arithmetic.

Reading is free, also of reports that the account owns; \`POST /api/reports\` and the tool \`run_report\` spend. State the price and ask before you spend, and state what limits a report (\`simulated\`, \`degraded\`, a conflict) before its number. With \`Accept: text/markdown\`, \`GET /api/reports/{id}\` answers with the report in words.

## Documents

${listOf('Documents')}

## Interfaces

- [OpenAPI document](${publicUrl}/openapi.json): every operation of the API, with examples
- [API reference](${publicUrl}/docs): the same as a page, on which calls can be tried
- [MCP server](${publicUrl}/mcp): seven tools over Streamable HTTP (POST); [how to connect](${publicUrl}/docs/mcp.md)

## Skill

${listOf('Skill')}

## Examples

${listOf('Examples')}

## Optional

${listOf('Optional')}
`;
}
