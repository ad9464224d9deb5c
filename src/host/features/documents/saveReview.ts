import * as vscode from 'vscode';
import {
  ReviewRequiredError,
  type Snapshot,
  SaveCanceledError,
} from '../../../core/documents/configSource';
import type { CheckedResolution } from '../../../core/configChecks/checkResolvedConfig';
import { type FleetCatalog, withFleetCatalog } from '../../../core/configChecks/fleetCatalog';
import { moduleIdsIn } from '../../../core/configChecks/fleetReferences';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import {
  type ConfigVersion,
  findTextRisk,
  isRisky,
  type SaveRisk,
} from '../../../core/documents/saveRisk';
import { formatSaveRisk } from '../../../core/documents/formatSaveRisk';
import { presentJson } from '../../../core/documents/jsonText';
import { type ParsedConfig, resolveValueInSteps } from '../../../core/documents/resolvedText';
import { inSlices } from '../../../base/slices';
import { getMember, isObject } from '../../../core/fragments/configValue';
import { toDisplayText } from '../../../core/model/displayText';
import type { SavePreview } from '../../../manifest/contributions';
import { getFileName, isPartAddress } from '../../platform/documents/documentUris';
import {
  type KnownFragments,
  resolveFragment,
  resolvePart,
} from '../../platform/documents/resolvePart';
import type { SessionProvider } from '../../platform/sessionProvider';

/** Config that is about to be saved. */
export interface PendingSave {
  readonly uri: vscode.Uri;
  readonly address: DocumentAddress;
  /** State of the service that the save replaces. */
  readonly saved: Snapshot;
  readonly text: string;
  /** True if the user didn't start the save. It can't prompt, because the user might be typing. */
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
  const summary = formatSaveRisk(risk, vscode.l10n, vscode.env.language);
  if (isAutoSave) throw new ReviewRequiredError(summary.replaceAll('\n', ' '));
  const save = vscode.l10n.t('Save');
  const show = vscode.l10n.t('Show Changes');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Save "{0}"?', toDisplayText(getFileName(uri))),
    { modal: true, detail: summary },
    save,
    show,
  );
  if (answer === save) return;
  // The comparison opens after VS Code has reported that nothing was saved.
  if (answer === show) setTimeout(() => void showChanges(uri), 0);
  throw new SaveCanceledError();
}

/** Compares the config with the saved one, both with their fragments if they can be read. */
async function findRisk(
  sessions: SessionProvider,
  { address, saved, text }: PendingSave,
): Promise<SaveRisk> {
  return findTextRisk(
    { saved: presentJson(saved.text), edited: text },
    (before, after) => resolveVersions(sessions, address, before, after),
    {
      isFragment: address.subject.type === 'fragmentConfig',
      partCount: await countParts(sessions, address),
      l10n: vscode.l10n,
    },
  );
}

/**
 * Reads the fragments and modules of a config before and after an edit. Makes no calls for fragments
 * if neither version uses them.
 * @returns undefined if the fragments of a version can't be read.
 */
async function resolveVersions(
  sessions: SessionProvider,
  address: DocumentAddress,
  before: ParsedConfig,
  after: ParsedConfig,
): Promise<readonly [ConfigVersion, ConfigVersion] | undefined> {
  const hasFragments = [before, after].some(usesFragments);
  return withFleetCatalog(sessions.stores(address.connectionId), async (catalog) => {
    const resolve = (parsed: ParsedConfig, known?: KnownFragments) =>
      hasFragments
        ? resolveFragments(sessions, address, { catalog, parsed, known })
        : resolveAlone(parsed);
    const original = await resolve(before);
    const edited = original && (await resolve(after, original.known));
    if (!edited) return undefined;
    const complete = async (
      parsed: ParsedConfig,
      resolved: CheckedResolution,
    ): Promise<ConfigVersion> => ({
      parsed,
      resolved,
      modules: await catalog.modulesById(moduleIdsIn(resolved.config)),
    });
    return [await complete(before, original), await complete(after, edited)];
  });
}

/** Config with its fragments, and the fragments that were read for it. */
type Resolution = CheckedResolution & { readonly known?: KnownFragments };

/** Returns a config with its fragments; undefined if they can't be read. */
async function resolveFragments(
  sessions: SessionProvider,
  address: DocumentAddress,
  {
    catalog,
    parsed,
    known,
  }: {
    readonly catalog: FleetCatalog;
    readonly parsed: ParsedConfig;
    readonly known: KnownFragments | undefined;
  },
): Promise<Resolution | undefined> {
  if (!isPartAddress(address)) {
    return resolveFragment(address.subject.id, { catalog, parsed, known, run: inSlices });
  }
  const read = await catalog.attempt(() => resolvePart(sessions, address, known, parsed));
  return read?.value;
}

/** Returns a config that uses no fragments in the form of a resolved config. */
async function resolveAlone({ value }: ParsedConfig): Promise<Resolution> {
  const { config, problems } = await inSlices(resolveValueInSteps(value, () => undefined));
  return { config, problems, getName: () => undefined };
}

/** Returns true if a config uses or overrides fragments. */
function usesFragments({ value }: ParsedConfig): boolean {
  return (
    isObject(value) &&
    ['fragments', 'fragment_mods'].some((section) => getMember(value, section) !== undefined)
  );
}

/**
 * Returns the number of parts that use the fragment; 0 for other documents, and undefined if it is
 * unknown.
 */
async function countParts(
  sessions: SessionProvider,
  { connectionId, subject }: DocumentAddress,
): Promise<number | undefined> {
  if (subject.type !== 'fragmentConfig') return 0;
  try {
    const { fragments } = sessions.stores(connectionId);
    const { partCount } = await fragments.get(subject.id, { fresh: true });
    return partCount;
  } catch {
    return undefined;
  }
}

async function showChanges(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand('workbench.files.action.compareWithSaved');
}
