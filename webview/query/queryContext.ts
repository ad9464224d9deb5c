import type { QueryProtocol } from '../../src/shared/query/queryPanel';
import type { HostConnection } from '../messaging/hostConnection';
import type { QueryLanguage } from '../../src/shared/query/editor';

/** Context that all parts of the query panel share. */
export interface QueryContext {
  readonly host: HostConnection<QueryProtocol>;
  readonly locale: string;
}

/** Names of the query languages, which are the same in all languages. */
export const LANGUAGE_NAMES: Readonly<Record<QueryLanguage, string>> = { sql: 'SQL', mql: 'MQL' };
