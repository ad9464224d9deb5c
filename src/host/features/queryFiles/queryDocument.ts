import type * as vscode from 'vscode';
import type { QueryLanguage } from '../../../core/model/query';
import { languages } from '../../../manifest/languages';

/** Documents that can contain a query: files, notebook cells, and unsaved documents. */
export const QUERY_DOCUMENTS = Object.values(languages).map(({ id }) => ({ language: id }));

/** Scheme of notebook cells. */
const CELL_SCHEME = 'vscode-notebook-cell';

/** Returns the language of a document's query; undefined for other documents. */
export function getQueryLanguage({ languageId }: vscode.TextDocument): QueryLanguage | undefined {
  return (['sql', 'mql'] as const).find((language) => languages[language].id === languageId);
}

/** Returns true for a notebook cell. Cells are run with their own commands. */
export function isCell({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return uri.scheme === CELL_SCHEME;
}
