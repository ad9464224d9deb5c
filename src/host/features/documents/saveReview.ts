import * as vscode from 'vscode';
import {
  ReviewRequiredError,
  type Snapshot,
  SaveCanceledError,
} from '../../../core/documents/configSource';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import {
  findSaveRisk,
  isRisky,
  parseVersion,
  type SaveRisk,
} from '../../../core/documents/saveRisk';
import { presentJson } from '../../../core/documents/jsonText';
import { shortList, toDisplayText } from '../../../core/model/displayText';
import type { SavePreview } from '../../../manifest/contributions';
import { getFileName } from '../../platform/documents/documentUris';
import { resolvePart } from '../../platform/documents/resolvePart';
import type { SessionProvider } from '../../platform/sessionProvider';

/** Maximum number of names in the summary. */
const MAX_NAMES = 10;

/** Config that is about to be saved. */
export interface PendingSave {
  readonly uri: vscode.Uri;
  readonly address: DocumentAddress;
  /** State of the service that the save replaces. */
  readonly saved: Snapshot;
  readonly text: string;
  /** True if Auto Save started the save. It can't prompt, because the user might be typing. */
  readonly isAutoSave: boolean;
}

/**
 * Shows a summary of a risky save and waits for the user's decision. Rejects a risky Auto Save, so
 * that it is neither sent without the user's consent nor skipped without notice.
 * @param preview `risky` to prompt only if the save has a risk
 * @throws SaveCanceledError if the user cancels the save or wants to see the changes first
 * @throws ReviewRequiredError for an Auto Save that the user must confirm
 */
export async function reviewSave(
  sessions: SessionProvider,
  pending: PendingSave,
  preview: SavePreview,
): Promise<void> {
  const { uri, isAutoSave } = pending;
  const risk = await findRisk(sessions, pending);
  if (preview === 'risky' && !isRisky(risk)) return;
  if (isAutoSave) throw new ReviewRequiredError(formatSaveRisk(risk).replaceAll('\n', ' '));
  const save = vscode.l10n.t('Save');
  const show = vscode.l10n.t('Show Changes');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Save "{0}"?', toDisplayText(getFileName(uri))),
    { modal: true, detail: formatSaveRisk(risk) },
    save,
    show,
  );
  if (answer === save) return;
  // The comparison opens after VS Code has reported that nothing was saved.
  if (answer === show) setTimeout(() => void showChanges(uri), 0);
  throw new SaveCanceledError();
}

/**
 * Compares the config with the saved one. Reads the fragments of a part's config only if the texts
 * alone have a risk.
 */
async function findRisk(
  sessions: SessionProvider,
  { address, saved, text }: PendingSave,
): Promise<SaveRisk> {
  const isFragment = address.subject.type === 'fragmentConfig';
  const partCount = await countParts(sessions, address);
  const options = { isFragment, partCount, l10n: vscode.l10n };
  const before = await parseVersion(presentJson(saved.text));
  const after = await parseVersion(text);
  const risk = await findSaveRisk({ parsed: before }, { parsed: after }, options);
  const { connectionId, subject } = address;
  if (subject.type !== 'partConfig' || !isRisky(risk) || !before || !after) return risk;
  try {
    const part = { connectionId, subject };
    const original = await resolvePart(sessions, part, undefined, before);
    const edited = await resolvePart(sessions, part, original?.known, after);
    return await findSaveRisk(
      { parsed: before, resolved: original },
      { parsed: after, resolved: edited },
      options,
    );
  } catch {
    // The save itself reports why the service doesn't respond.
    return risk;
  }
}

/** Returns the number of parts that use the fragment; 0 for other documents, and if it is unknown. */
async function countParts(
  sessions: SessionProvider,
  { connectionId, subject }: DocumentAddress,
): Promise<number> {
  if (subject.type !== 'fragmentConfig') return 0;
  try {
    const { fragments } = sessions.stores(connectionId);
    const { partCount } = await fragments.get(subject.id, { fresh: true });
    return partCount;
  } catch {
    // The save itself reports why the service doesn't respond.
    return 0;
  }
}

async function showChanges(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand('workbench.files.action.compareWithSaved');
}

/** Formats the effects of a save, one per line. */
export function formatSaveRisk(risk: SaveRisk): string {
  const { newProblems } = risk;
  const [problem = ''] = newProblems;
  const lines = [
    formatRemoved(risk.removed),
    formatRenamed(risk.renamed),
    formatUse(risk.partCount),
    newProblems.length === 1 ? vscode.l10n.t('It adds a problem: {0}', problem) : '',
    newProblems.length > 1
      ? vscode.l10n.t('It adds {0} problems. The first one is: {1}', newProblems.length, problem)
      : '',
  ].filter((line) => line !== '');
  return lines.length === 0
    ? vscode.l10n.t('The save removes no resources and adds no problems.')
    : lines.join('\n');
}

function formatRemoved(removed: readonly string[]): string {
  const { shown, more } = shortList(
    removed.map((name) => toDisplayText(name)),
    MAX_NAMES,
  );
  const names = new Intl.ListFormat(vscode.env.language, { type: 'unit' }).format(shown);
  if (removed.length === 0) return '';
  if (removed.length === 1) return vscode.l10n.t('It removes 1 resource: {0}.', names);
  return more === 0
    ? vscode.l10n.t('It removes {0} resources: {1}.', removed.length, names)
    : vscode.l10n.t('It removes {0} resources: {1}, and others.', removed.length, names);
}

function formatRenamed(renamed: SaveRisk['renamed']): string {
  const { shown, more } = shortList(
    renamed.map(({ from, to }) => `${toDisplayText(from)} → ${toDisplayText(to)}`),
    MAX_NAMES,
  );
  const names = new Intl.ListFormat(vscode.env.language, { type: 'unit' }).format(shown);
  if (renamed.length === 0) return '';
  if (renamed.length === 1) return vscode.l10n.t('It renames 1 resource: {0}.', names);
  return more === 0
    ? vscode.l10n.t('It renames {0} resources: {1}.', renamed.length, names)
    : vscode.l10n.t('It renames {0} resources: {1}, and others.', renamed.length, names);
}

function formatUse(partCount: number): string {
  if (partCount === 0) return '';
  return partCount === 1
    ? vscode.l10n.t('1 part uses this fragment and gets the change.')
    : vscode.l10n.t('{0} parts use this fragment and get the change.', partCount);
}
