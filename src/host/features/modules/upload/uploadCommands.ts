import * as vscode from 'vscode';
import { basename } from 'node:path';
import { findBuilds, inspectBuilds } from './findBuilds';
import {
  isSameTarget,
  joinsOthers,
  type LastUpload,
  LastUploads,
  listPreviouslyUploaded,
  nextVersion,
  planRepetition,
  type Repetition,
  repetitionElsewhere,
  type UploadedBuild,
} from './lastUploads';
import { runUpload } from './runUpload';
import { configureUpload, findVersionProblem, repeatedBuild } from './uploadMenu';
import type { ModuleUploadTools, UploadSubject } from './uploadTools';
import { toDisplayText } from '../../../../core/model/displayText';
import { MANIFEST_NAME } from '../../../../core/modules/manifest/moduleManifest';
import type { PreparedBuild } from '../../../../core/modules/upload/preparedBuild';
import { confirm } from '../../../platform/prompts/prompts';
import { showStatusMessage } from '../../../platform/commands/statusMessage';
import { DiskBuilds } from '../../../../archives/diskBuilds';
import { canceled, FleetError } from '../../../../core/api/errors';
import {
  isTargetOf,
  registryItemTarget,
  type RegistryItemTarget,
} from '../../../../core/model/resourceTarget';
import type { RegistryItem, RegistryVersion } from '../../../../core/model/registryItem';
import { knownManifest } from '../../../../core/modules/manifest/registeredManifest';
import type { RegistryStore } from '../../../../core/stores/registryStore';
import { findManifest, resolveManifest } from '../../../platform/modules/moduleManifests';
import { registeredModule } from '../../../platform/modules/registeredModule';
import { requireConnection } from '../../../platform/sessionProvider';
import { requireRight } from '../../../platform/permissions/requireRight';
import { stat } from 'node:fs/promises';
import { formatPlatform } from '../../../platform/text/registryText';

/**
 * Uploads builds for a module as a new version. Finds and inspects the build output, proposes a
 * version, and shows all settings in one menu before anything is sent.
 * @param argument a manifest's URI, or a registry module
 */
export async function uploadBuild(
  tools: ModuleUploadTools,
  argument: object | undefined,
): Promise<void> {
  const subject = await uploadSubject(tools, argument, vscode.l10n.t('Upload Module Version'));
  const { item, file } = subject;
  const paths = await findBuilds(tools, file);
  const last = new LastUploads(tools.storage).get(file?.uri.toString() ?? '');
  if (last && isSameTarget(last, subject.target)) {
    // If there are multiple builds, some might be left over from the previous version.
    const { arrived } = planRepetition(last, item.versions);
    const builds = arrived.filter(({ path }) => paths.includes(path));
    await requireChanged(tools, { ...last, builds });
  }
  const found = paths.map((path) => ({
    path,
    before: last?.builds.find((build) => build.path === path)?.platform,
  }));
  const builds = await inspectBuilds(subject, found);
  const version = nextVersion(item.versions);
  await runUpload(tools, subject, await configureUpload(subject, { version, builds }));
}

/**
 * Uploads the builds from the last upload again as the next version, or adds the missing builds to
 * the last version. Prompts only if something is unclear. Applies to the given or active module; if
 * there is none, to the most recently uploaded module.
 */
export async function repeatUpload(
  tools: ModuleUploadTools,
  argument: object | undefined,
): Promise<void> {
  const last = lastUpload(new LastUploads(tools.storage), argument);
  if (!last) return uploadBuild(tools, argument);
  if (tools.activeUploads.has(last.manifest)) {
    notifyInProgress(last);
    return;
  }
  const title = vscode.l10n.t('Repeat Last Module Upload');
  const subject = await uploadSubject(tools, vscode.Uri.parse(last.manifest), title);
  const isThere = isSameTarget(last, subject.target);
  if (!isThere) await confirmTarget(tools, subject);
  const repetition = isThere
    ? await resolveRepetition(tools, last, subject)
    : repetitionElsewhere(last, subject.item.versions);
  const begun = tools.activeUploads.begin(last.manifest);
  try {
    // An upload that was in progress when the command started might have finished in the meantime.
    const isNow = begun && isSame(last, new LastUploads(tools.storage).get(last.manifest));
    if (isNow) await repeat(tools, subject, { last, repetition, isThere });
    else notifyInProgress(last);
  } finally {
    begun?.dispose();
  }
}

interface Repeated {
  readonly last: LastUpload;
  readonly repetition: Repetition;
  /** True if the upload has the same target as the last upload. */
  readonly isThere: boolean;
}

async function repeat(
  tools: ModuleUploadTools,
  subject: UploadSubject,
  { last, repetition, isThere }: Repeated,
): Promise<void> {
  const found = repetition.builds.map(({ path, platform }) => ({ path, before: platform }));
  const builds = await inspectBuilds(subject, found);
  const settings = { version: repetition.version, builds };
  const isConfirmed =
    isThere &&
    !joinsOthers(repetition, subject.item.versions) &&
    builds.every(isExpected) &&
    repeatedBuild(settings) === undefined &&
    findVersionProblem(subject, settings) === undefined;
  const confirmed = isConfirmed ? settings : await configureUpload(subject, settings);
  await runUpload(
    tools,
    subject,
    confirmed,
    listPreviouslyUploaded(repetition, last, confirmed.version),
  );
}

function notifyInProgress({ moduleId }: LastUpload): void {
  showStatusMessage(vscode.l10n.t('{0} is already being uploaded.', toDisplayText(moduleId)));
}

function isSame(one: LastUpload, other: LastUpload | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function resolveRepetition(
  tools: ModuleUploadTools,
  last: LastUpload,
  { item: { versions } }: UploadSubject,
): Promise<Repetition> {
  const repetition = planRepetition(last, versions);
  if (repetition.version === last.version) return requireSameSource(last, repetition, versions);
  await requireChanged(tools, { ...last, builds: repetition.arrived });
  return repetition;
}

function lastUpload(uploads: LastUploads, argument: object | undefined): LastUpload | undefined {
  if (argument instanceof vscode.Uri) return uploads.get(argument.toString());
  if (argument !== undefined) return undefined;
  const front = vscode.window.activeTextEditor?.document.uri;
  const isManifest = front !== undefined && basename(front.path) === MANIFEST_NAME;
  // If the active module was never uploaded, the last upload of a different module must not be
  // repeated in its place.
  return uploads.get(isManifest ? front.toString() : undefined);
}

/**
 * Prompts the user to confirm the target if another connection is active or the manifest specifies
 * another module, which is rarely intended when repeating an upload.
 */
async function confirmTarget(
  { sessions }: ModuleUploadTools,
  { target, item }: UploadSubject,
): Promise<void> {
  const cloud = sessions.connection(target.connectionId)?.label ?? '';
  await confirm(
    vscode.l10n.t('Upload to {0} of {1}?', toDisplayText(item.id), toDisplayText(cloud)),
    vscode.l10n.t('These builds were last uploaded to a different module or service.'),
    vscode.l10n.t('Upload…'),
  );
}

function isExpected({ platform, expected }: PreparedBuild): boolean {
  return platform !== undefined && expected === undefined;
}

/**
 * Returns the module to upload: that of the clicked item, or of the given, active, or selected
 * manifest. Offers to register a module that doesn't exist yet.
 * @throws canceled if the user dismisses the prompt, and `permission` if the key has no permission
 *   to upload
 */
async function uploadSubject(
  tools: ModuleUploadTools,
  argument: object | undefined,
  title: string,
): Promise<UploadSubject> {
  const clicked = isTargetOf('registryItem', argument) ? argument : undefined;
  const connection = requireConnection(tools.sessions, clicked?.connectionId);
  const stores = tools.sessions.stores(connection.id);
  const { registry } = stores;
  const { item, file } = clicked
    ? await clickedModule(registry, clicked)
    : await registeredModule(tools, connection.id, await resolveManifest(argument, title));
  if (item.type !== 'module') throw notAModule(item);
  const target = registryItemTarget(connection.id, item);
  await requireRight(stores, target, 'administer');
  const manifest = file?.manifest ?? knownManifest(item);
  return { target, registry, item, file, manifest, builds: new DiskBuilds(vscode.l10n) };
}

/** Module and its manifest in this workspace. */
type ModuleMatch = Pick<UploadSubject, 'item' | 'file'>;

async function clickedModule(
  registry: RegistryStore,
  clicked: RegistryItemTarget,
): Promise<ModuleMatch> {
  const file = await findManifest(clicked);
  return { item: await registry.get(clicked.itemId, { fresh: true }), file };
}

function notAModule({ id }: RegistryItem): FleetError {
  return new FleetError(
    'invalid',
    vscode.l10n.t("{0} is not a module, so you can't upload a build to it.", toDisplayText(id)),
  );
}

/**
 * Prompts for confirmation if the builds haven't changed since their last upload. Uploading the
 * same archive as another version usually means that the user forgot to rebuild it. Throws
 * `canceled`.
 */
async function requireChanged({ commands }: ModuleUploadTools, last: LastUpload): Promise<void> {
  const unchanged = await Promise.all(last.builds.map(isUnchanged));
  const [first] = last.builds.filter((_, index) => unchanged[index]);
  if (!first) return;
  const build = vscode.l10n.t('Build');
  const anyway = vscode.l10n.t('Upload Anyway');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      "{0} hasn't changed since it was uploaded as {1}. Build the module again first?",
      toDisplayText(basename(first.path)),
      last.version,
    ),
    build,
    anyway,
  );
  if (chosen === anyway) return;
  if (chosen === build) {
    await commands.execute('fleetwright.module.build', vscode.Uri.parse(last.manifest));
  }
  throw canceled();
}

/**
 * Prompts for confirmation if only part of a version was uploaded and the rest has since been
 * rebuilt, possibly from different sources. Throws `canceled`.
 */
async function requireSameSource(
  last: LastUpload,
  repetition: Repetition,
  versions: readonly RegistryVersion[],
): Promise<Repetition> {
  const { version, arrived } = repetition;
  const changed = await Promise.all(arrived.map(isChanged));
  const [first] = arrived.filter((_, index) => changed[index]);
  if (!first) return repetition;
  const next = nextVersion(versions);
  const add = vscode.l10n.t('Add to {0}', version);
  const all = vscode.l10n.t('Upload All as {0}', next);
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} already has an archive for {1}, but the module has been built again since then. Upload the missing archives for {0} anyway?',
      version,
      formatPlatform(first.platform),
    ),
    all,
    add,
  );
  if (chosen === all) return { version: next, builds: last.builds, arrived: [] };
  if (chosen === add) return repetition;
  throw canceled();
}

async function isUnchanged({ path, writtenAt }: UploadedBuild): Promise<boolean> {
  return writtenAt !== undefined && (await writtenNow(path)) === writtenAt;
}

/** Returns true if the build exists and has changed since the upload. */
async function isChanged({ path, writtenAt }: UploadedBuild): Promise<boolean> {
  const now = await writtenNow(path);
  return now !== undefined && writtenAt !== undefined && now !== writtenAt;
}

async function writtenNow(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}
