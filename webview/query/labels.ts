import type { QueryLanguage } from '../../src/shared/query/editor';

/** Names of the query languages, which are the same in all languages. */
export const LANGUAGE_NAMES: Readonly<Record<QueryLanguage, string>> = { sql: 'SQL', mql: 'MQL' };
