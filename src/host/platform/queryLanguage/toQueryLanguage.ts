import type { QueryLanguage } from '../../../core/model/query';
import { languages } from '../../../manifest/contributions';

/** Returns the query language for a VS Code language ID; undefined for IDs of other languages. */
export function toQueryLanguage(languageId: string): QueryLanguage | undefined {
  return (['sql', 'mql'] as const).find((language) => languages[language].id === languageId);
}
