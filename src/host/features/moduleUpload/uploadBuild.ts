import * as vscode from 'vscode';
import { proposedVersion } from '../../../core/modules/upload/proposedVersion';
import { findBuilds } from './findBuilds';
import { inspectBuilds } from './inspectBuilds';
import { isSamePlace, LastUploads } from './lastUploads';
import { requireChanged } from './requireChanged';
import { runUpload } from './runUpload';
import { settleUpload } from './uploadMenu';
import { uploadSubject } from './uploadSubject';
import type { ModuleUploadTools } from './uploadTools';

/**
 * Uploads builds of a module as a new version: finds what was built, looks through it, proposes a
 * version, and shows all of it in one menu before anything is sent.
 * @param given a manifest's address, or a module of the registry
 */
export async function uploadBuild(
  tools: ModuleUploadTools,
  given: object | undefined,
): Promise<void> {
  const subject = await uploadSubject(tools, given, vscode.l10n.t('Upload Build'));
  const { item, file } = subject;
  const paths = await findBuilds(tools, file);
  const last = new LastUploads(tools.storage).get(file?.uri.toString() ?? '');
  if (last && isSamePlace(last, subject.target)) {
    // Of builds for several platforms, one may be left over from the version before.
    const builds = last.builds.filter(({ path }) => paths.includes(path));
    await requireChanged(tools, { ...last, builds });
  }
  const found = paths.map((path) => ({
    path,
    before: last?.builds.find((build) => build.path === path)?.platform,
  }));
  const builds = await inspectBuilds(subject, found);
  const version = proposedVersion(item.versions.map((one) => one.version));
  await runUpload(tools, subject, await settleUpload(subject, { version, builds }));
}
