import { basename, relative } from 'node:path';
import * as vscode from 'vscode';
import { leavesFolder } from '../../../archives/leavesFolder';
import { resolveEscape } from '../../../archives/resolveEscape';
import { toDisplayText } from '../../../core/model/toDisplayText';
import type { Platform } from '../../../core/modules/platforms';
import { prepareBuild, type PreparedBuild } from '../../../core/modules/upload/preparedBuild';
import {
  type ErrorSentences,
  manifestError,
  requireValidManifest,
} from '../../platform/manifestErrors';
import { getModuleFolder, type ManifestFile } from '../../platform/moduleManifests';
import { trackProgress } from '../../platform/progress';
import { confirm } from '../../platform/prompts';
import { formatBytes } from '../../platform/quantityText';
import type { UploadSubject } from './uploadTools';

const MS_BETWEEN_REPORTS = 100;

/** Build to inspect, and the platform of its last upload. */
export interface FoundBuild {
  readonly path: string;
  readonly before?: Platform | undefined;
}

/**
 * Inspects builds before any upload, with a cancelable notification.
 * @throws FleetError `invalid` with all problems of the first build that can't be uploaded,
 *   `canceled` if the user cancels
 */
export async function inspectBuilds(
  { builds: reader, file, manifest }: Pick<UploadSubject, 'builds' | 'file' | 'manifest'>,
  found: readonly FoundBuild[],
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
 * Prompts for confirmation if a link points outside the folder, because other people can provide
 * manifests and links. Throws `canceled`.
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

/** @throws FleetError `invalid` with all problems of a build */
export function requireUploadable({
  path,
  findings,
}: Pick<PreparedBuild, 'path' | 'findings'>): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
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
