import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely';

export interface StatementTime {
  /** The text of a raw statement; empty for one that was built. */
  readonly text: string;
  readonly beganMs: number;
  readonly endedMs: number;
}

/** When each statement of a database began and ended, as its caller sees it; BEGIN and COMMIT are none. */
export class StatementTimes implements KyselyPlugin {
  private times: StatementTime[] = [];
  private readonly began = new WeakMap<object, Pick<StatementTime, 'text' | 'beganMs'>>();

  /** The statements since the last call, in the order in which they ended. */
  take(): readonly StatementTime[] {
    const taken = this.times;
    this.times = [];
    return taken;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    const text = node.kind === 'RawNode' ? node.sqlFragments.join('?') : '';
    this.began.set(queryId, { text, beganMs: performance.now() });
    return node;
  }

  transformResult({ queryId, result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const began = this.began.get(queryId);
    if (began !== undefined) this.times.push({ ...began, endedMs: performance.now() });
    return Promise.resolve(result);
  }
}
