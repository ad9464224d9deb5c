import { Disposable } from '../../../base/disposable';
import type { QueriedOrganization, QuerySchemas } from '../../../core/query/schema/querySchemas';
import type {
  CheckedQuery,
  QueryCompletions,
  QueryFinding,
  QueryHover,
  QueryText,
} from '../../../shared/query/editor';

/** How long a suggestion waits for readings to be looked at, the first time. */
const WAIT_MS = 2_000;

/** What is doubtful in a text, and the names of its parameters in order of appearance. */
export interface QueryCheck {
  readonly findings: readonly QueryFinding[];
  readonly parameters: readonly string[];
}

/**
 * What the editors of queries ask of the language, in words for people: the query panel, files and notebooks.
 * Without an organization only what is true of all readings is known.
 * The words and rules are loaded with the first key, not with the extension.
 */
export class QueryLanguageService extends Disposable {
  /** More is known of the readings of an organization: texts are worth another check. */
  readonly onDidLearn: QuerySchemas['onDidChange'];

  constructor(private readonly schemas: QuerySchemas) {
    super();
    this.onDidLearn = schemas.onDidChange;
  }

  /** What may stand at a place of a text. */
  async complete(
    query: QueryText & { readonly offset: number; readonly explicit: boolean },
    of: QueriedOrganization | undefined,
  ): Promise<QueryCompletions> {
    const [{ complete }, { topicText }] = await Promise.all([
      import('../../../core/query/language/queryLanguage'),
      import('./topicText'),
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

  /** What is wrong or doubtful in a text that is not run. */
  async check(query: CheckedQuery, of: QueriedOrganization | undefined): Promise<QueryCheck> {
    const [{ check }, { parametersOf }, { findingText, fixText }] = await Promise.all([
      import('../../../core/query/language/queryLanguage'),
      import('../../../core/query/language/parameters'),
      import('./findingText'),
    ]);
    const findings = check(query, this.schemas.get(of)).map((finding) => ({
      ...finding,
      message: findingText(finding),
      fixes: finding.fixes.map((fix) => ({ title: fixText(fix), edits: fix.edits })),
    }));
    return { findings, parameters: parametersOf(query.language, query.text) };
  }

  /** What can be said about what stands at a place. */
  async hover(
    query: QueryText,
    offset: number,
    of: QueriedOrganization | undefined,
  ): Promise<QueryHover | undefined> {
    const [{ hover }, { topicText }] = await Promise.all([
      import('../../../core/query/language/queryLanguage'),
      import('./topicText'),
    ]);
    const found = hover(query, offset, this.schemas.get(of));
    if (found === undefined) return undefined;
    const { start, end, name, kind, detail } = found;
    const isCall = kind === 'function' && detail !== undefined;
    const code = isCall ? detail : [name, ...(detail === undefined ? [] : [detail])].join(': ');
    return { start, end, code, text: topicText(found) };
  }
}
