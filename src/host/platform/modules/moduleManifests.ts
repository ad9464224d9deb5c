import * as vscode from 'vscode';
import { canceled, FleetError } from '../../../core/api/errors';
import { toDisplayText } from '../../../core/model/displayText';
import { isTargetOf, type RegistryItemTarget } from '../../../core/model/resourceTarget';
import { isManifest } from '../../../core/modules/manifest/manifestLanguage';
import {
  MANIFEST_NAME,
  mightBeManifest,
  type ModuleManifest,
} from '../../../core/modules/manifest/moduleManifest';
import { MAX_MANIFEST_LENGTH, parseManifest } from '../../../core/modules/manifest/parseManifest';
import { pickOne } from '../prompts/prompts';
import { toQuickPickText } from '../text/displayText';

/** Folders with third-party code or build output. */
const ELSEWHERE = '**/{node_modules,.git,.venv,venv,dist,build,target,vendor}/**';
/** Maximum number of files with a manifest's name that are read. */
const MAX_FILES = 200;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_CHARACTER = 3;

/** Manifest as saved in its file. */
export interface ManifestFile {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly manifest: ModuleManifest;
}

/** Returns the folder of the module that a manifest describes. */
export function getModuleFolder(manifest: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(manifest, '..');
}

/** Returns the manifests in the workspace, sorted by path. */
export async function findManifests(): Promise<readonly ManifestFile[]> {
  const uris = await vscode.workspace.findFiles(`**/${MANIFEST_NAME}`, ELSEWHERE, MAX_FILES);
  const read = await Promise.all(uris.map((uri) => tryReading(uri)));
  return read
    .filter((file) => file !== undefined)
    .toSorted((left, right) => (left.uri.path < right.uri.path ? -1 : 1));
}

/**
 * Returns the manifest for a command: the given manifest, a registry module's manifest, the active
 * manifest, the only manifest in the workspace, or a manifest that the user selects. Saves the
 * manifest if it has unsaved changes.
 *
 * @throws FleetError `invalid` if there is no manifest or it can't be parsed; `canceled` if the
 *   user dismisses the prompt
 */
export async function resolveManifest(
  argument: object | undefined,
  title: string,
): Promise<ManifestFile> {
  if (argument instanceof vscode.Uri) return readManifestFile(argument);
  if (isTargetOf('registryItem', argument)) return requireManifest(argument);
  const front = vscode.window.activeTextEditor?.document.uri;
  if (front && getBaseName(front) === MANIFEST_NAME) {
    const file = await tryReading(front);
    if (file) return saved(file);
  }
  const found = await findManifests();
  const [first] = found;
  if (!first) {
    throw new FleetError(
      'invalid',
      vscode.l10n.t(
        'This workspace has no module manifest ({0}). Create a module first, or open the folder of a module.',
        MANIFEST_NAME,
      ),
    );
  }
  return saved(found.length === 1 ? first : await pickManifest(found, title));
}

/**
 * Returns the manifest in the workspace for a module. A module can have more than one ID. Saves the
 * manifest if it has unsaved changes. Throws `canceled` if the user declines.
 */
export async function findManifest({
  itemId,
  organizationId,
  name,
}: RegistryItemTarget): Promise<ManifestFile | undefined> {
  const ids: readonly string[] = [itemId, `${organizationId}:${name}`];
  const found = (await findManifests()).find(({ manifest }) => ids.includes(manifest.moduleId));
  return found && saved(found);
}

async function requireManifest(item: RegistryItemTarget): Promise<ManifestFile> {
  const found = await findManifest(item);
  if (found) return found;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      'This workspace has no manifest ({0}) for {1}. Open the module folder first.',
      MANIFEST_NAME,
      toDisplayText(item.itemId),
    ),
  );
}

/**
 * Reads a manifest after saving any unsaved changes.
 * @throws FleetError `invalid` if the file isn't a module manifest, `notFound` if it doesn't exist
 */
export async function readManifestFile(uri: vscode.Uri): Promise<ManifestFile> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open?.isDirty && !(await open.save())) throw canceled();
  const text = await readText(uri);
  const { manifest } = parseManifest(text);
  if (manifest) return { uri, text, manifest };
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      '{0} is not a valid module manifest. It must contain one JSON object. See the Problems view.',
      vscode.workspace.asRelativePath(uri),
    ),
  );
}

async function saved(file: ManifestFile): Promise<ManifestFile> {
  return readManifestFile(file.uri);
}

/** Reads a file with a manifest's name; undefined if it isn't a module manifest. */
async function tryReading(uri: vscode.Uri): Promise<ManifestFile | undefined> {
  try {
    // Other programs also use this file name, possibly for files that don't fit into memory.
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_MANIFEST_LENGTH * MAX_BYTES_PER_CHARACTER) return undefined;
    const text = await readText(uri);
    const name = getBaseName(uri);
    if (!mightBeManifest(name, text)) return undefined;
    const parsed = parseManifest(text);
    const { manifest } = parsed;
    return manifest && isManifest(name, parsed) ? { uri, text, manifest } : undefined;
  } catch {
    return undefined;
  }
}

async function readText(uri: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (cause) {
    const message = vscode.l10n.t("Couldn't read {0}.", vscode.workspace.asRelativePath(uri));
    throw new FleetError('notFound', message, { cause });
  }
}

async function pickManifest(files: readonly ManifestFile[], title: string): Promise<ManifestFile> {
  const items = files.map((file) => ({
    file,
    label: toQuickPickText(file.manifest.moduleId || getBaseName(getModuleFolder(file.uri))),
    description: toQuickPickText(vscode.workspace.asRelativePath(file.uri)),
    iconPath: new vscode.ThemeIcon('package'),
  }));
  const placeholder = vscode.l10n.t('Select a module');
  return (await pickOne(items, { title, placeholder })).file;
}

function getBaseName(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? '';
}
