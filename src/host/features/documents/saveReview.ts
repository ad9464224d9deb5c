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
  findSaveRisk,
  isRisky,
  type SaveRisk,
} from '../../../core/documents/saveRisk';
import { presentJson } from '../../../core/documents/jsonText';
import {
  parseConfigInSteps,
  type ParsedConfig,
  resolveValueInSteps,
} from '../../../core/documents/resolvedText';
import { inSlices } from '../../../base/slices';
import { getMember, isObject } from '../../../core/fragments/configValue';
import { shortList, toDisplayText } from '../../../core/model/displayText';
import type { SavePreview } from '../../../manifest/contributions';
import { getFileName, isPartAddress } from '../../platform/documents/documentUris';
import {
  type KnownFragments,
  resolveFragment,
  resolvePart,
} from '../../platform/documents/resolvePart';
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

/** Compares the config with the saved one, both with their fragments if they can be read. */
async function findRisk(
  sessions: SessionProvider,
  { address, saved, text }: PendingSave,
): Promise<SaveRisk> {
  const isFragment = address.subject.type === 'fragmentConfig';
  const partCount = await countParts(sessions, address);
  const options = { isFragment, partCount, l10n: vscode.l10n };
  const before = await inSlices(parseConfigInSteps(presentJson(saved.text)));
  const after = await inSlices(parseConfigInSteps(text));
  const versions =
    before && after ? await resolveVersions(sessions, address, before, after) : undefined;
  const [original, edited] = versions ?? [{ parsed: before }, { parsed: after }];
  return findSaveRisk(original, edited, options);
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

function formatUse(partCount: number | undefined): string {
  if (partCount === 0) return '';
  if (partCount === undefined) {
    return vscode.l10n.t('The number of parts that use this fragment is unknown.');
  }
  return partCount === 1
    ? vscode.l10n.t('1 part uses this fragment and gets the change.')
    : vscode.l10n.t('{0} parts use this fragment and get the change.', partCount);
}
