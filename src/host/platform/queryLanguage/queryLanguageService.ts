import { Disposable } from '../../../base/disposable';
import type { QueriedOrganization, QuerySchemas } from '../../../core/query/schema/querySchemas';
import type {
  CheckedQuery,
  QueryCompletions,
  QueryDiagnostic,
  QueryHover,
  QueryText,
} from '../../../shared/query/editor';

/** Maximum time in milliseconds that suggestions wait for the first sample of readings. */
const WAIT_MS = 2_000;

/** Errors and warnings in a query, and its parameter names in order of appearance. */
export interface QueryCheck {
  readonly diagnostics: readonly QueryDiagnostic[];
  readonly parameters: readonly string[];
}

/**
 * Localized language features for query editors in the query panel, files, and notebooks. Without
 * an organization, uses only the common schema. Loads strings and rules on the first keystroke
 * rather than on activation.
 */
export class QueryLanguageService extends Disposable {
  /**
   * Fires when the schema for an organization's readings has changed and queries must be checked
   * again.
   */
  readonly onDidLearn: QuerySchemas['onDidChange'];

  constructor(private readonly schemas: QuerySchemas) {
    super();
    this.onDidLearn = schemas.onDidChange;
  }

  /** Returns suggestions for an offset in a query. */
  async complete(
    query: QueryText & { readonly offset: number; readonly explicit: boolean },
    of: QueriedOrganization | undefined,
  ): Promise<QueryCompletions> {
    const [{ complete }, { describeTopic: topicText }] = await Promise.all([
      import('../../../core/query/language/queryLanguage'),
      import('./describeTopic'),
    ]);
    const schema = await this.schemas.load(of, AbortSignal.timeout(WAIT_MS));
    const { options, ...place } = complete(query, query.offset, schema, query);
    return {
      ...place,
      options: options.map((option) => ({
        ...option,
        info: topicText({ kind: option.kind, name: option.label }),
      })),
    };
  }

  /** Returns errors and warnings in a query without running it. */
  async check(query: CheckedQuery, of: QueriedOrganization | undefined): Promise<QueryCheck> {
    const [{ check }, { listParameters: getParameters }, { formatQueryDiagnostic, formatFix }] =
      await Promise.all([
        import('../../../core/query/language/queryLanguage'),
        import('../../../core/query/language/parameters'),
        import('./formatQueryDiagnostic'),
      ]);
    const diagnostics = check(query, this.schemas.get(of)).map((diagnostic) => ({
      ...diagnostic,
      message: formatQueryDiagnostic(diagnostic),
      fixes: diagnostic.fixes.map((fix) => ({ title: formatFix(fix), edits: fix.edits })),
    }));
    return { diagnostics, parameters: getParameters(query.language, query.text) };
  }

  /** Returns the hover content for an offset in a query. */
  async hover(
    query: QueryText,
    offset: number,
    of: QueriedOrganization | undefined,
  ): Promise<QueryHover | undefined> {
    const [{ hover }, { describeTopic: topicText }] = await Promise.all([
      import('../../../core/query/language/queryLanguage'),
      import('./describeTopic'),
    ]);
    const found = hover(query, offset, this.schemas.get(of));
    if (found === undefined) return undefined;
    const { start, end, name, kind, detail } = found;
    const isCall = kind === 'function' && detail !== undefined;
    const code = isCall ? detail : [name, ...(detail === undefined ? [] : [detail])].join(': ');
    return { start, end, code, text: topicText(found) };
  }
}
