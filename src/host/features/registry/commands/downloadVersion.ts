import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { fetchContent } from '../../../../core/data/download/fetchContent';
import { safeSegment } from '../../../../core/documents/safeSegment';
import type { PackageFileInfo } from '../../../../core/model/packageFile';
import type { RegistryItem, RegistryVersion } from '../../../../core/model/registryItem';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { FleetStores } from '../../../../core/stores/fleetStores';
import { folderWords } from '../../../platform/folderWords';
import { NodeDownloadFolder } from '../../../platform/nodeDownloadFolder';
import { following } from '../../../platform/progress';
import { askOne } from '../../../platform/prompts';
import { bytesText } from '../../../platform/quantityText';
import { platformText } from '../../../platform/registryText';
import { resolveTarget } from '../../../platform/resolveTarget';
import { chooseVersion } from '../chooseVersion';
import type { RegistryTools } from '../registry.feature';

const SHA_256 = /^[0-9a-f]{64}$/i;

/**
 * Saves the archive of a version to a file that the person chooses. What was cut off goes on where it was
 * when it is saved to the same file again. Throws `FleetError`.
 */
export async function downloadVersion(
  tools: RegistryTools,
  given: RegistryItemTarget | undefined,
  wanted: unknown,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'registryItem', given);
  const item = await stores.registry.get(target.itemId);
  const title = vscode.l10n.t('Download Archive');
  const version = await chooseVersion(item, given, wanted, title);
  const platform = await choosePlatform(item, version, given, title);
  const archive = await stores.registry.package(item, version.version, platform);
  const to = await vscode.window.showSaveDialog({
    title,
    saveLabel: vscode.l10n.t('Download'),
    defaultUri: vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir()),
      fileName(archive),
    ),
  });
  if (!to) return;
  if (to.scheme !== 'file') {
    throw new FleetError('unsupported', vscode.l10n.t('Choose a folder of this machine.'));
  }
  const name = basename(to.fsPath);
  await following(vscode.l10n.t('Downloading {0}', name), (signal, report) =>
    fetchTo(to.fsPath, { stores, archive, sleep: tools.sleep }, signal, report),
  );
  const reveal = vscode.l10n.t('Show in Folder');
  const done = vscode.l10n.t('Saved {0}.', name);
  if ((await vscode.window.showInformationMessage(done, reveal)) === reveal) {
    await vscode.commands.executeCommand('revealFileInOS', to);
  }
}

/** The platform that was clicked, the only one, or the one that is chosen; undefined for whichever. */
async function choosePlatform(
  item: RegistryItem,
  { version, files }: RegistryVersion,
  given: RegistryItemTarget | undefined,
  title: string,
): Promise<string | undefined> {
  const clicked = given && 'platform' in given ? given.platform : undefined;
  if (typeof clicked === 'string') return clicked;
  if (files.length < 2) return files[0]?.platform;
  const chosen = await askOne(
    files.map(({ platform }) => ({ platform, label: platformText(platform) })),
    {
      title,
      placeholder: vscode.l10n.t('The archive of {0} {1} for which platform?', item.name, version),
    },
  );
  return chosen.platform;
}

/** As the service calls it. */
function fileName({ name, version, platform }: PackageFileInfo): string {
  const pieces = [name, version, ...platform.split('/')];
  return `${pieces.map((piece) => safeSegment(piece)).join('-')}.tar.gz`;
}

interface ArchiveDownload {
  readonly stores: FleetStores;
  readonly archive: PackageFileInfo;
  readonly sleep: RegistryTools['sleep'];
}

async function fetchTo(
  path: string,
  { stores, archive, sleep }: ArchiveDownload,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<void> {
  const folder = await NodeDownloadFolder.plain(dirname(path), folderWords);
  const name = basename(path);
  // What had the name before stays until all has come.
  const beside = `${name}.download`;
  await folder.remove('data', beside);
  let bytes = 0;
  await fetchContent(
    { open: (request) => stores.registry.content(archive, request), sizeBytes: undefined },
    beside,
    {
      folder,
      sleep,
      signal,
      random: Math.random,
      onBytes: (more) => {
        bytes += more;
        report(bytesText(bytes));
      },
    },
  );
  if (!(await isWhole(join(dirname(path), beside), archive))) {
    await folder.remove('data', beside);
    throw new FleetError(
      'unavailable',
      vscode.l10n.t('What came is not what was uploaded: its checksum differs. Try again.'),
      { action: 'retry' },
    );
  }
  await folder.remove('data', name);
  await folder.rename(beside, name);
}

/** Whether the bytes are those that were uploaded, as far as the service says. */
async function isWhole(path: string, { checksum }: PackageFileInfo): Promise<boolean> {
  if (!SHA_256.test(checksum)) return true;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === checksum.toLowerCase();
}
