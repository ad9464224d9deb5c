import { toQueryLanguage } from '../../platform/queryLanguage/toQueryLanguage';
import * as vscode from 'vscode';
import type { QueryLanguage, TextSpan } from '../../../core/model/query';
import { FleetError } from '../../../core/api/errors';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { FileQuery, RunQuery } from '../../platform/featureInterfaces';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { PickTarget } from '../../platform/prompts/targetPicker';
import type { FileSettings } from './fileSettings';
import type { RunProblems } from './queryProblems';

export interface RunTools {
  readonly sessions: SessionProvider;
  readonly pickTarget: PickTarget;
  readonly settings: FileSettings;
  readonly problems: RunProblems;
  readonly run: RunQuery;
}

/**
 * Runs a query in a file: the query with the given index, the selection, or the query at the
 * cursor. Marks an error's position in the file.
 */
export async function runFile(
  tools: RunTools,
  document: vscode.TextDocument,
  statement: number | undefined,
): Promise<void> {
  const language = toQueryLanguage(document.languageId);
  const span = language && (await selectStatement(document, language, statement));
  if (!language || !span) {
    throw new FleetError('invalid', vscode.l10n.t('There is no query to run here.'));
  }
  const { uri } = document;
  const organization = await organizationFor(tools, uri);
  const text = document.getText().slice(span.start, span.end);
  const { version } = document;
  tools.problems.clear(document);
  const { connectionId, organizationId } = organization;
  const problem = await tools.run({
    connectionId,
    organizationId,
    language,
    text,
    recent: language === 'mql' && tools.settings.isRecent(uri),
    uri,
    lines: toLines(document, span),
  });
  // If the text has changed since the run started, the position is stale.
  if (problem?.start === undefined || document.version !== version) return;
  const start = span.start + problem.start;
  tools.problems.show(document, problem.message, {
    start,
    end: span.start + (problem.end ?? problem.start),
  });
}

/** Returns a span's one-based line numbers. */
function toLines(document: vscode.TextDocument, { start, end }: TextSpan): FileQuery['lines'] {
  const text = document.getText().slice(start, end);
  const first = start + text.length - text.trimStart().length;
  const last = start + text.trimEnd().length;
  const toLine = (offset: number): number => document.positionAt(offset).line + 1;
  return { firstLine: toLine(first), lastLine: toLine(last) };
}

/**
 * Returns the organization that a file queries. Prompts the user the first time, and again if the
 * organization's connection has been removed. Throws `canceled`.
 */
async function organizationFor(tools: RunTools, uri: vscode.Uri): Promise<OrganizationTarget> {
  const known = tools.settings.findOrganization(uri);
  return known && tools.sessions.connection(known.connectionId)
    ? known
    : chooseOrganization(tools, uri);
}

/** Prompts for the organization that a file queries. Throws `canceled`. */
export async function chooseOrganization(
  { pickTarget, settings }: Pick<RunTools, 'pickTarget' | 'settings'>,
  uri: vscode.Uri,
): Promise<OrganizationTarget> {
  const chosen = await pickTarget('organization');
  await settings.choose(uri, chosen);
  return chosen;
}

async function selectStatement(
  document: vscode.TextDocument,
  language: QueryLanguage,
  statement: number | undefined,
): Promise<TextSpan | undefined> {
  const { statementAt, statementsIn } = await import('../../../core/query/language/queryLanguage');
  const statements = statementsIn(language, document.getText());
  if (statement !== undefined) return statements[statement];
  // A file can be open in two editors, so the active editor's cursor takes precedence.
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const editors = [...(activeTextEditor ? [activeTextEditor] : []), ...visibleTextEditors];
  const { selection } = editors.find((one) => one.document === document) ?? {};
  if (selection && !selection.isEmpty) {
    return { start: document.offsetAt(selection.start), end: document.offsetAt(selection.end) };
  }
  return statementAt(statements, selection ? document.offsetAt(selection.active) : 0);
}
