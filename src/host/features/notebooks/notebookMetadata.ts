import { toQueryLanguage } from '../../platform/queryLanguage/toQueryLanguage';
import { isRecord } from '../../../base/isRecord';
import * as vscode from 'vscode';
import type { NotebookFile } from '../../../core/query/notebook/notebookFile';
import { isBoolean, isString } from '../../../shared/guards';
import { languages } from '../../../manifest/contributions';
import { FleetError, toFleetError } from '../../../core/api/errors';
import { organizationId } from '../../../core/model/ids';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import {
  type NotebookOrganization,
  organizationIn,
  withOrganization,
} from '../../../core/query/notebook/notebookHeader';
import { applyEdit } from '../../platform/documents/replaceText';
import type { FleetTools } from '../../platform/fleetTools';
import { requireConnection } from '../../platform/sessionProvider';

/** Notebook metadata in VS Code, apart from the cells. */
export type NotebookFrame = Pick<NotebookFile, 'head' | 'tail'>;

/** Cell metadata in VS Code, apart from the text and language. */
export interface CellMetadata {
  /** Source text in the file. */
  readonly source: string | undefined;
  /** True if the cell queries only recent data. */
  readonly recent: boolean;
}

/** Text after the last cell of a notebook. */
const BLANK_LINES = /^[ \t\r\n]*$/;

type SavedMetadata = Readonly<Record<string, unknown>>;

export function notebookMetadata({ head, tail }: NotebookFrame): Record<string, unknown> {
  return { head, tail };
}

/** Parses metadata, which the user or another extension might have changed. */
export function readNotebookMetadata(saved: SavedMetadata | undefined): NotebookFrame {
  const { head, tail } = saved ?? {};
  return {
    head: isString(head) ? head : '',
    tail: isString(tail) && BLANK_LINES.test(tail) ? tail : '',
  };
}

export function cellMetadata({ source, recent }: CellMetadata): Record<string, unknown> {
  return { ...(source !== undefined && { source }), ...(recent && { recent }) };
}

export function readCellMetadata(saved: SavedMetadata | undefined): CellMetadata {
  const { source, recent } = isRecord(saved) ? saved : {};
  return { source: isString(source) ? source : undefined, recent: isBoolean(recent) && recent };
}

/** Language of text cells. */
export const MARKDOWN = 'markdown';

/** Languages of cells that can be run. */
export const RUNNABLE_LANGUAGES: readonly string[] = [languages.sql.id, languages.mql.id];

/** Converts a VS Code language ID to the language name in a notebook's text. */
export function cellLanguage(languageId: string): string {
  return toQueryLanguage(languageId) ?? languageId;
}

/** Converts the language name in a notebook's text to a VS Code language ID. */
export function toLanguageId(language: string): string {
  return language === 'sql' || language === 'mql' ? languages[language].id : language;
}

type Tools = Pick<FleetTools, 'sessions' | 'pickTarget'>;

/** Returns the organization in a notebook's header. */
export function namedOrganization({
  metadata,
}: Pick<vscode.NotebookDocument, 'metadata'>): NotebookOrganization | undefined {
  return organizationIn(readNotebookMetadata(metadata).head);
}

/**
 * Returns the organization that a notebook queries. Reads the organization in its header through
 * any connection that has access to it, preferably the active one. If the header has none, prompts
 * for an organization and writes it to the header. Throws errors from reading organizations,
 * `notFound` if no connection has access, and `canceled`.
 */
export async function resolveOrganization(
  notebook: vscode.NotebookDocument,
  tools: Tools,
): Promise<OrganizationTarget> {
  const named = namedOrganization(notebook);
  return named ? findOrganization(named, tools) : chooseOrganization(notebook, tools);
}

/** Prompts for an organization and writes it to the notebook. Throws `canceled`. */
export async function chooseOrganization(
  notebook: vscode.NotebookDocument,
  { sessions, pickTarget }: Tools,
): Promise<OrganizationTarget> {
  requireConnection(sessions);
  const target = await pickTarget('organization');
  const frame = readNotebookMetadata(notebook.metadata);
  const cells = notebook.getCells().map(({ metadata }) => readCellMetadata(metadata));
  const { detectLineBreak } = await import('../../../core/query/notebook/printNotebook');
  const lineBreak = detectLineBreak({ ...frame, cells });
  const head = withOrganization(frame.head, headerOrganization(target), lineBreak);
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [
    vscode.NotebookEdit.updateNotebookMetadata(notebookMetadata({ ...frame, head })),
  ]);
  await applyEdit(edit, notebook.uri);
  return target;
}

/** Returns an organization in the format that notebook headers use. */
export function headerOrganization({
  organizationId: id,
  name,
}: OrganizationTarget): NotebookOrganization {
  return { id, name };
}

/**
 * Finds an organization through any connection that has access to it, preferably the active one.
 * Throws errors from reading organizations, and `notFound` if no connection has access.
 */
export async function findOrganization(
  named: NotebookOrganization,
  { sessions }: Pick<FleetTools, 'sessions'>,
  signal?: AbortSignal,
): Promise<OrganizationTarget> {
  const active = requireConnection(sessions);
  const others = sessions.connections.filter(({ id }) => id !== active.id);
  const failures: FleetError[] = [];
  for (const connection of [active, ...others]) {
    try {
      const organizations = await sessions.stores(connection.id).organizations.list({ signal });
      const found = organizations.find(({ id }) => id === organizationId(named.id));
      if (found) {
        const { id, name } = found;
        return { kind: 'organization', connectionId: connection.id, organizationId: id, name };
      }
    } catch (error) {
      failures.push(toFleetError(error));
    }
  }
  throw failures[0] ?? unknownOrganization(named);
}

function unknownOrganization({ id, name }: NotebookOrganization): FleetError {
  const message = vscode.l10n.t(
    'This notebook queries the organization {0}, which is not available in any connection. Sign in to its fleet, or select another organization.',
    name || id,
  );
  return new FleetError('notFound', message, { action: 'signIn' });
}
