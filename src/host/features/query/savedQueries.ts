import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../core/api/errors';
import { type QueryLanguage, queryLanguages, type QueryText } from '../../../shared/query/editor';
import { confirm, pickOne } from '../../platform/prompts/prompts';
import { toQuickPickText } from '../../platform/text/displayText';
import { getFileName } from '../../platform/documents/documentUris';

/** File extensions of query files. */
const ENDINGS: Readonly<Record<QueryLanguage, string>> = { sql: '.fleet.sql', mql: '.mql.json' };
const LISTED = 1_000;
/** Maximum file size in bytes. No handwritten query is larger. */
const MAX_FILE_BYTES = 1_000_000;

interface FileItem extends vscode.QuickPickItem {
  readonly uri?: vscode.Uri;
}

/**
 * Saves a query to a file that the user selects, and opens the file.
 * @param saved called with the file's URI before the file is opened
 */
export async function saveQuery(
  { language, text }: QueryText,
  saved: (uri: vscode.Uri) => Promise<void>,
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  const ending = ENDINGS[language];
  const chosen = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Query'),
    defaultUri: vscode.Uri.joinPath(folder, `query${ending}`),
    filters: { [language.toUpperCase()]: [ending.slice(1)] },
  });
  if (!chosen) return;
  const target = chosen.path.endsWith(ending) ? chosen : withEnding(chosen, ending);
  // The dialog asked only about the chosen file.
  if (target !== chosen && (await exists(target))) {
    await confirm(
      vscode.l10n.t('Replace "{0}"?', getFileName(target)),
      vscode.l10n.t('The file already exists. Its contents will be replaced.'),
      vscode.l10n.t('Replace'),
    );
  }
  try {
    await vscode.workspace.fs.writeFile(target, Buffer.from(text));
  } catch (cause) {
    const message = vscode.l10n.t(
      'Couldn\'t write the query to "{0}". {1}',
      getFileName(target),
      toFleetError(cause).message,
    );
    throw new FleetError('unavailable', message, { cause });
  }
  await saved(target);
  await vscode.window.showTextDocument(target, { viewColumn: vscode.ViewColumn.Beside });
}

/** Prompts for a query file and suggests the query files in the workspace. Throws `canceled`. */
export async function openQuery(): Promise<QueryText | undefined> {
  const found = await vscode.workspace.findFiles(
    `**/*{${Object.values(ENDINGS).join(',')}}`,
    undefined,
    LISTED,
  );
  const uri = found.length === 0 ? await browse() : await choose(found);
  return uri && read(uri);
}

async function choose(found: readonly vscode.Uri[]): Promise<vscode.Uri | undefined> {
  const files = found
    .map((uri): FileItem => {
      const path = vscode.workspace.asRelativePath(uri);
      return { uri, label: toQuickPickText(getFileName(uri)), description: toQuickPickText(path) };
    })
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const other: FileItem = { label: vscode.l10n.t('Another file…') };
  const { uri } = await pickOne([...files, other], {
    title: vscode.l10n.t('Open Query'),
    placeholder: vscode.l10n.t('Select a file of the workspace'),
  });
  return uri ?? browse();
}

async function browse(): Promise<vscode.Uri | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Open Query'),
      filters: { [vscode.l10n.t('Queries')]: Object.values(ENDINGS).map((one) => one.slice(1)) },
    })) ?? [];
  return uri;
}

async function read(uri: vscode.Uri): Promise<QueryText> {
  const language =
    queryLanguages.find((one) => uri.path.endsWith(ENDINGS[one])) ?? detectLanguage(uri);
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_FILE_BYTES) {
      throw new FleetError('invalid', vscode.l10n.t('It is too large for a query.'));
    }
    const bytes = await vscode.workspace.fs.readFile(uri);
    return { language, text: new TextDecoder().decode(bytes) };
  } catch (cause) {
    const { kind, message: reason } = toFleetError(cause);
    const message = vscode.l10n.t('Couldn\'t open "{0}". {1}', getFileName(uri), reason);
    throw new FleetError(kind, message, { cause });
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

function detectLanguage(uri: vscode.Uri): QueryLanguage {
  return uri.path.endsWith('.json') ? 'mql' : 'sql';
}

function withEnding(uri: vscode.Uri, ending: string): vscode.Uri {
  const path = uri.path.replace(/(\.fleet)?\.sql$|(\.mql)?\.json$/, '');
  return uri.with({ path: `${path}${ending}` });
}
