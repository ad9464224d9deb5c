import * as vscode from 'vscode';
import { findBuilds } from './findBuilds';
import { inspectBuilds } from './inspectBuilds';
import { isSameTarget, LastUploads, nextVersion, planRepetition } from './lastUploads';
import { requireChanged } from './requireChanged';
import { runUpload } from './runUpload';
import { configureUpload } from './uploadMenu';
import { uploadSubject } from './uploadSubject';
import type { ModuleUploadTools } from './uploadTools';

/**
 * Uploads builds of a module as a new version. Finds and inspects the build output, proposes a
 * version, and shows all settings in one menu before anything is sent.
 * @param given URI of a manifest, or a registry module
 */
export async function uploadBuild(
  tools: ModuleUploadTools,
  given: object | undefined,
): Promise<void> {
  const subject = await uploadSubject(tools, given, vscode.l10n.t('Upload Module Version'));
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
