import type * as vscode from 'vscode';
import type { QueryLanguage } from '../../../core/model/query';
import { languages } from '../../../manifest/languages';

/** All that can hold a query: files, cells of notebooks, and what is not saved yet. */
export const QUERY_DOCUMENTS = Object.values(languages).map(({ id }) => ({ language: id }));

/** Of cells, that stand in a notebook. */
const CELL_SCHEME = 'vscode-notebook-cell';

/** The language of the query that a document holds; undefined of one that holds none. */
export function queryLanguageOf({ languageId }: vscode.TextDocument): QueryLanguage | undefined {
  return (['sql', 'mql'] as const).find((language) => languages[language].id === languageId);
}

/** Whether a document is a cell of a notebook, which has its own ways of running. */
export function isCell({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
  return uri.scheme === CELL_SCHEME;
}
