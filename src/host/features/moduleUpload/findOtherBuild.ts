import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { PreparedBuild } from '../../../core/modules/upload/preparedBuild';
import { pickOne } from '../../platform/prompts';
import { toQuickPickText } from '../../platform/toQuickPickText';
import { pickBuild } from './findBuilds';
import { inspectBuilds } from './inspectBuilds';
import type { UploadSubject } from './uploadTools';

/** Adds a build for another platform, or removes a build. Throws `canceled`. */
export async function findOtherBuild(
  subject: UploadSubject,
  builds: readonly PreparedBuild[],
): Promise<readonly PreparedBuild[]> {
  const items = [
    { label: vscode.l10n.t('Add Archive (.tar.gz)…'), form: 'archive' as const },
    { label: vscode.l10n.t('Add Folder (Packed Automatically)…'), form: 'folder' as const },
    ...(builds.length < 2 ? [] : builds).map((build) => ({
      label: vscode.l10n.t('Exclude {0}', toQuickPickText(basename(build.path))),
      description: build.platform ?? '',
      build,
    })),
  ];
  const chosen = await pickOne(items, {
    title: vscode.l10n.t('Builds'),
    placeholder: vscode.l10n.t('One build for each platform'),
  });
  if ('build' in chosen) return builds.filter((build) => build !== chosen.build);
  const path = await pickBuild(chosen.form, subject.file);
  const added = await inspectBuilds(subject, [{ path }]);
  return [...builds.filter((build) => build.path !== path), ...added];
}
