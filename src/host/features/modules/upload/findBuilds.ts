import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { canceled } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/displayText';
import { platformArchive } from '../../../../core/modules/buildPlan';
import { type Platform, PLATFORMS } from '../../../../core/modules/platforms';
import { getModuleFolder, type ManifestFile } from '../../../platform/modules/moduleManifests';
import { confirm, pickOne } from '../../../platform/prompts/prompts';
import { formatBytes, toQuickPickText } from '../../../platform/text/displayText';
import type { ModuleUploadTools, UploadSubject } from './uploadTools';
import { leavesFolder, resolveEscape } from '../../../../archives/safePaths';
import { prepareBuild, type PreparedBuild } from '../../../../core/modules/upload/preparedBuild';
import {
  type ErrorSentences,
  manifestError,
  requireValidManifest,
} from '../../../platform/modules/manifestErrors';
import { trackProgress } from '../../../platform/commands/progress';

/**
 * Returns the absolute local paths of the builds to upload: the output of the manifest's build, or
 * a build that the user selects. Throws `canceled`.
 */
export async function findBuilds(
  tools: ModuleUploadTools,
  file: ManifestFile | undefined,
): Promise<readonly string[]> {
  const made = file ? await madeBuilds(file) : [];
  return made.length > 0 ? made : [await pickBuildSource(tools, file)];
}

/**
 * Returns the output of a manifest's build. Builds for more than one platform are saved under
 * platform-specific names next to `build.path`, which then contains only the last build.
 */
async function madeBuilds({ uri, manifest }: ManifestFile): Promise<readonly string[]> {
  const { path = '' } = manifest.build;
  if (path.trim() === '' || uri.scheme !== 'file') return [];
  const whole = isAbsolute(path) ? path : join(getModuleFolder(uri).fsPath, path);
  const archives = await Promise.all(
    PLATFORMS.map((platform) => writtenAt(platformArchive(whole, platform))),
  );
  const last = await writtenAt(whole);
  const named = archives.filter((build) => build !== undefined);
  // A separate build, whose file name contains no platform, was created after the platform-specific
  // builds.
  const isNewer = last && named.every(({ at }) => at + TOLERANCE_MS < last.at);
  if (last && (named.length === 0 || isNewer)) return [last.path];
  return named.map((build) => build.path);
}

/**
 * Tolerance in milliseconds. It is needed because copies are slightly newer than their originals.
 */
const TOLERANCE_MS = 2_000;

async function writtenAt(
  path: string,
): Promise<{ readonly path: string; readonly at: number } | undefined> {
  try {
    return { path, at: (await stat(path)).mtimeMs };
  } catch {
    return undefined;
  }
}

async function pickBuildSource(
  { commands }: ModuleUploadTools,
  file: ManifestFile | undefined,
): Promise<string> {
  const command = file?.manifest.build.build?.trim() ?? '';
  const build = {
    label: vscode.l10n.t('Build Now'),
    detail: toQuickPickText(command),
    pick: 'build' as const,
  };
  const items = [
    ...(command === '' ? [] : [{ ...build, iconPath: new vscode.ThemeIcon('tools') }]),
    {
      label: vscode.l10n.t('Select Archive (.tar.gz)…'),
      iconPath: new vscode.ThemeIcon('file-zip'),
      pick: 'archive' as const,
    },
    {
      label: vscode.l10n.t('Select Folder (Packed Automatically)…'),
      iconPath: new vscode.ThemeIcon('folder'),
      pick: 'folder' as const,
    },
  ];
  const { pick } = await pickOne(items, {
    title: vscode.l10n.t('Upload Module Version'),
    placeholder:
      file?.manifest.build.path === undefined
        ? vscode.l10n.t('What do you want to upload?')
        : vscode.l10n.t(
            '"{0}" doesn\'t exist yet. What do you want to upload?',
            toDisplayText(file.manifest.build.path),
          ),
  });
  if (pick !== 'build') return pickBuild(pick, file);
  await commands.execute('fleetwright.module.build', file?.uri);
  // The build command offers the upload when it finishes.
  throw canceled();
}

/** Prompts for an archive or a folder on this computer. Throws `canceled`. */
export async function pickBuild(
  form: 'archive' | 'folder',
  file: ManifestFile | undefined,
): Promise<string> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Select a Build'),
    openLabel: vscode.l10n.t('Select'),
    canSelectFiles: form === 'archive',
    canSelectFolders: form === 'folder',
    ...(form === 'archive' && {
      filters: { [vscode.l10n.t('Archives')]: ['tar.gz', 'tgz', 'gz'] },
    }),
    ...(file && { defaultUri: getModuleFolder(file.uri) }),
  });
  const [uri] = chosen ?? [];
  if (!uri) throw canceled();
  return uri.fsPath;
}

const MS_BETWEEN_REPORTS = 100;

/** Build to inspect, and the platform of its last upload. */
export interface BuildMatch {
  readonly path: string;
  readonly before?: Platform | undefined;
}

/**
 * Inspects builds before any upload, with a cancelable notification.
 * @throws FleetError `invalid` with all problems with the first build that can't be uploaded,
 *   `canceled` if the user cancels
 */
export async function inspectBuilds(
  { builds: reader, file, manifest }: Pick<UploadSubject, 'builds' | 'file' | 'manifest'>,
  found: readonly BuildMatch[],
): Promise<readonly PreparedBuild[]> {
  if (file) {
    // Validates the manifest before anything is read or sent.
    requireValidManifest(
      file,
      getSentences(toDisplayText(vscode.workspace.asRelativePath(file.uri))),
    );
    for (const { path } of found) await confirmOutside(file, path);
  }
  return trackProgress(vscode.l10n.t('Checking the build'), async (signal, report) => {
    const prepared: PreparedBuild[] = [];
    for (const build of found) {
      const name = toDisplayText(basename(build.path));
      report(name);
      let [read, shownAt] = [0, Date.now()];
      const onRead = (bytes: number): void => {
        read += bytes;
        const now = Date.now();
        if (now - shownAt < MS_BETWEEN_REPORTS) return;
        shownAt = now;
        report(`${name}: ${formatBytes(read)}`);
      };
      const one = await prepareBuild(reader, build, manifest, { signal, onRead });
      requireUploadable(one);
      prepared.push(one);
    }
    return prepared;
  });
}

/**
 * Prompts for confirmation if a link points outside the folder, because manifests and links can
 * come from other users. Throws `canceled`.
 */
async function confirmOutside({ uri }: ManifestFile, path: string): Promise<void> {
  const folder = getModuleFolder(uri).fsPath;
  // A path that is itself outside the folder was selected by the user.
  if (uri.scheme !== 'file' || leavesFolder(relative(folder, path))) return;
  const target = await resolveEscape(folder, path);
  if (target === undefined) return;
  await confirm(
    vscode.l10n.t('Upload {0}?', toDisplayText(target)),
    vscode.l10n.t(
      '{0} resolves to this path through a link to a folder outside the module.',
      toDisplayText(vscode.workspace.asRelativePath(path)),
    ),
    vscode.l10n.t('Upload…'),
  );
}

/** @throws FleetError `invalid` with all problems with a build */
export function requireUploadable({
  path,
  diagnostics,
}: Pick<PreparedBuild, 'path' | 'diagnostics'>): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const target = toDisplayText(vscode.workspace.asRelativePath(path));
  throw manifestError(errors, getSentences(target));
}

function getSentences(path: string): ErrorSentences {
  return {
    failure: vscode.l10n.t("Can't upload {0}.", path),
    outcome: vscode.l10n.t('Nothing was uploaded.'),
  };
}
