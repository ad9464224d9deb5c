import type { QueryLanguage } from '../../../core/model/query';
import { languages } from '../../../manifest/languages';

/** The language of texts between queries. */
export const MARKDOWN = 'markdown';

/** Languages that a notebook can run. */
export const RUNNABLE_LANGUAGES: readonly string[] = [languages.sql.id, languages.mql.id];

/** The query language that VS Code calls so; undefined of others. */
export function queryLanguageOf(languageId: string): QueryLanguage | undefined {
  return (['sql', 'mql'] as const).find((language) => languages[language].id === languageId);
}

/** What a notebook's text calls a language of VS Code. */
export function cellLanguage(languageId: string): string {
  return queryLanguageOf(languageId) ?? languageId;
}

/** What VS Code calls a language of a notebook's text. */
export function languageIdOf(language: string): string {
  return language === 'sql' || language === 'mql' ? languages[language].id : language;
}
