import * as vscode from 'vscode';
import { proposedVersion } from '../../../core/modules/upload/proposedVersion';
import { findBuilds } from './findBuilds';
import { inspectBuilds } from './inspectBuilds';
import { LastUploads } from './lastUploads';
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
  const found = paths.map((path) => ({
    path,
    before: last?.builds.find((build) => build.path === path)?.platform,
  }));
  const builds = await inspectBuilds(subject, found);
  const version = proposedVersion(item.versions.map((one) => one.version));
  await runUpload(tools, subject, await settleUpload(subject, { version, builds }));
}
