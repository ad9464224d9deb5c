import * as vscode from 'vscode';
import { canceled, FleetError } from '../../core/api/errors';
import { displayText } from '../../core/model/displayText';
import { isTargetOf } from '../../core/model/isTargetOf';
import type { RegistryItemTarget } from '../../core/model/resourceTarget';
import { isManifest } from '../../core/modules/manifest/isManifest';
import {
  MANIFEST_NAME,
  mayBeManifest,
  type ModuleManifest,
} from '../../core/modules/manifest/moduleManifest';
import { LONGEST_MANIFEST, parseManifest } from '../../core/modules/manifest/parseManifest';
import { askOne } from './prompts';
import { quickText } from './quickText';

/** Folders with what others wrote, or what builds made. */
const ELSEWHERE = '**/{node_modules,.git,.venv,venv,dist,build,target,vendor}/**';
/** So many files of this name are looked into. */
const MOST_FILES = 200;
/** In UTF-8, of what counts as one in a text. */
const MOST_BYTES_OF_CHARACTER = 3;

/** A manifest as it stands in its file. */
export interface ManifestFile {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly manifest: ModuleManifest;
}

/** The folder that a manifest describes. */
export function folderOfManifest(manifest: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(manifest, '..');
}

/** The manifests of the workspace, in the order of their paths. */
export async function findManifests(): Promise<readonly ManifestFile[]> {
  const uris = await vscode.workspace.findFiles(`**/${MANIFEST_NAME}`, ELSEWHERE, MOST_FILES);
  const read = await Promise.all(uris.map((uri) => tryReading(uri)));
  return read
    .filter((file) => file !== undefined)
    .toSorted((left, right) => (left.uri.path < right.uri.path ? -1 : 1));
}

/**
 * The manifest that a command is about: the one that is given, that of a module of the registry, the one
 * in front, the only one of the workspace, or the one that the person picks. Saves it where it has changes.
 *
 * @throws FleetError `invalid` when there is none, or it cannot be read; `canceled` when the person leaves
 */
export async function askManifest(given: object | undefined, title: string): Promise<ManifestFile> {
  if (given instanceof vscode.Uri) return readManifestFile(given);
  if (isTargetOf('registryItem', given)) return requireManifestOf(given);
  const front = vscode.window.activeTextEditor?.document.uri;
  if (front && nameOf(front) === MANIFEST_NAME) {
    const file = await tryReading(front);
    if (file) return saved(file);
  }
  const found = await findManifests();
  const [first] = found;
  if (!first) {
    throw new FleetError(
      'invalid',
      vscode.l10n.t(
        'This workspace has no module manifest ({0}). Create or generate a module first, or open its folder.',
        MANIFEST_NAME,
      ),
    );
  }
  return saved(found.length === 1 ? first : await pickManifest(found, title));
}

/**
 * The manifest of the workspace that describes a module, by whichever of its ids. Saves it where it has
 * changes. Throws `canceled` when that is refused.
 */
export async function findManifestOf({
  itemId,
  organizationId,
  name,
}: RegistryItemTarget): Promise<ManifestFile | undefined> {
  const ids: readonly string[] = [itemId, `${organizationId}:${name}`];
  const found = (await findManifests()).find(({ manifest }) => ids.includes(manifest.moduleId));
  return found && saved(found);
}

async function requireManifestOf(item: RegistryItemTarget): Promise<ManifestFile> {
  const found = await findManifestOf(item);
  if (found) return found;
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      'This workspace has no manifest ({0}) for {1}. Open the folder of the module first.',
      MANIFEST_NAME,
      displayText(item.itemId),
    ),
  );
}

/**
 * Reads a manifest, and saves it first where it has changes.
 * @throws FleetError `invalid` when it is no manifest of a module, `notFound` when it is not there
 */
export async function readManifestFile(uri: vscode.Uri): Promise<ManifestFile> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open?.isDirty && !(await open.save())) throw canceled();
  const text = await textOf(uri);
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

/** A file of this name that is a manifest of a module, and not of something else. */
async function tryReading(uri: vscode.Uri): Promise<ManifestFile | undefined> {
  try {
    // Others keep data in files of this name, of which many do not fit into memory together.
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > LONGEST_MANIFEST * MOST_BYTES_OF_CHARACTER) return undefined;
    const text = await textOf(uri);
    const name = nameOf(uri);
    if (!mayBeManifest(name, text)) return undefined;
    const parsed = parseManifest(text);
    const { manifest } = parsed;
    return manifest && isManifest(name, parsed) ? { uri, text, manifest } : undefined;
  } catch {
    return undefined;
  }
}

async function textOf(uri: vscode.Uri): Promise<string> {
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
    label: quickText(file.manifest.moduleId || nameOf(folderOfManifest(file.uri))),
    description: quickText(vscode.workspace.asRelativePath(file.uri)),
    iconPath: new vscode.ThemeIcon('package'),
  }));
  const placeholder = vscode.l10n.t('Which module?');
  return (await askOne(items, { title, placeholder })).file;
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? '';
}
