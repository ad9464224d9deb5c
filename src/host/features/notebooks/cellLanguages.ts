import type { QueryLanguage } from '../../../core/model/query';
import { languages } from '../../../manifest/languages';

/** Language of text cells. */
export const MARKDOWN = 'markdown';

/** Languages that a notebook can run. */
export const RUNNABLE_LANGUAGES: readonly string[] = [languages.sql.id, languages.mql.id];

/** Returns the query language for a VS Code language ID; undefined for IDs of other languages. */
export function toQueryLanguage(languageId: string): QueryLanguage | undefined {
  return (['sql', 'mql'] as const).find((language) => languages[language].id === languageId);
}

/** Converts a VS Code language ID to the language name in a notebook's text. */
export function cellLanguage(languageId: string): string {
  return toQueryLanguage(languageId) ?? languageId;
}

/** Converts the language name in a notebook's text to a VS Code language ID. */
export function toLanguageId(language: string): string {
  return language === 'sql' || language === 'mql' ? languages[language].id : language;
}
