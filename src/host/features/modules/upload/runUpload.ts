import * as vscode from 'vscode';
import { stat } from 'node:fs/promises';
import { toFleetError } from '../../../../core/api/errors';
import type { Platform } from '../../../../core/modules/platforms';
import { createModuleUpdate } from '../../../../core/modules/moduleUpdate';
import { namedFiles, type PreparedBuild } from '../../../../core/modules/upload/preparedBuild';
import {
  type PlatformBuild,
  uploadBuilds,
  type VersionUpload,
  type VersionUploadResult,
} from '../../../../core/modules/upload/uploadBuilds';
import { createModuleFileReader } from '../../../platform/modules/manifestErrors';
import { getModuleFolder, type ManifestFile } from '../../../platform/modules/moduleManifests';
import { measuring } from '../../../platform/commands/progress';
import { type LastUpload, LastUploads, type UploadedBuild } from './lastUploads';
import { notifyFailure, notifySuccess, type UploadRun } from './uploadMessages';
import { formatUpload } from './uploadMenu';
import { getBuildSize, type UploadSettings } from './uploadSettings';
import type { ModuleUploadTools, UploadSubject } from './uploadTools';
import type { RegistryItemTarget } from '../../../../core/model/resourceTarget';

/**
 * Runs a confirmed upload and reports the result. The user can retry missing builds.
 * @param arrived builds for the same version from an earlier upload
 */
export async function runUpload(
  tools: ModuleUploadTools,
  subject: UploadSubject,
  settings: UploadSettings,
  arrived: readonly UploadedBuild[] = [],
): Promise<void> {
  const { item, file } = subject;
  const update = file && createUpdate(file);
  const last = file && (await createLastUpload(subject.target, file, settings, arrived));
  const run: Run = { tools, subject, settings, last, counted: { report: undefined } };
  const builds = settings.builds.map((build) => platformBuild(run, build));
  const known = item.versions;
  const upload = { item, version: settings.version, builds, update, known };
  await remember(run, false);
  try {
    await attempt(run, upload, []);
  } catch (error) {
    // The version belongs to another upload, so a repetition must not add to it.
    if (toFleetError(error).kind === 'conflict' && last) {
      await createLastUploads(tools).remove(last.manifest);
    }
    throw error;
  }
}

/** Returns a function that creates the update from the manifest and the module's current state. */
function createUpdate({ uri, manifest }: ManifestFile): VersionUpload['update'] {
  const deps = { readSibling: createModuleFileReader(getModuleFolder(uri)), l10n: vscode.l10n };
  return (current) => createModuleUpdate(manifest, current, deps);
}

interface Run extends UploadRun {
  /** Record for repeating the upload; absent without a manifest. */
  readonly last: LastUpload | undefined;
  /** Receives the number of bytes read while an attempt shows progress. */
  readonly counted: { report: ((bytes: number) => void) | undefined };
}

function platformBuild(
  { subject, counted }: Run,
  { path, platform, facts: { fingerprint } }: PreparedBuild,
): PlatformBuild {
  const named = namedFiles(subject.manifest);
  const onRead = (bytes: number): void => counted.report?.(bytes);
  return {
    platform: platform ?? 'any',
    read: (signal) => subject.builds.read(path, named, { signal, onRead, fingerprint }),
  };
}

async function attempt(
  run: Run,
  upload: VersionUpload,
  before: readonly Platform[],
): Promise<void> {
  const { tools, subject, settings, last, counted } = run;
  const platforms = new Set(upload.builds.map(({ platform }) => platform));
  const sending = settings.builds.filter(({ platform }) => platforms.has(platform ?? 'any'));
  const total = sending.reduce((sum, build) => sum + getBuildSize(build), 0);
  const title = formatUpload(subject, { ...settings, builds: sending });
  const send = (): Promise<VersionUploadResult> =>
    measuring(title, total, (signal, report) => {
      counted.report = report;
      return uploadBuilds(subject.registry, upload, { signal, l10n: vscode.l10n });
    });
  const { uploaded, failed } = await (last
    ? tools.activeUploads.during(last.manifest, send)
    : send());
  const there = [...before, ...uploaded];
  if (!failed) {
    await remember(run, true);
    void notifySuccess(run, there).catch(tools.presentError);
    return;
  }
  const rest = { ...upload, builds: failed.rest, update: undefined, known: undefined };
  const again = async (): Promise<void> => {
    if (await notifyFailure(run, failed.error, there, failed.rest)) await attempt(run, rest, there);
  };
  // Not awaited, because the upload is complete and the user might never respond to the message.
  void again().catch(tools.presentError);
}

/**
 * @param hasArrived true if the upload is complete; otherwise, a repetition adds the missing builds
 */
async function remember({ tools, last }: Run, hasArrived: boolean): Promise<void> {
  if (last) await createLastUploads(tools).remember({ ...last, hasArrived });
}

function createLastUploads({ storage }: ModuleUploadTools): LastUploads {
  return new LastUploads(storage);
}

/**
 * Returns the record for an upload that is starting.
 * @param arrived builds for the same version that have already been uploaded
 */
async function createLastUpload(
  { connectionId, itemId: moduleId }: RegistryItemTarget,
  { uri }: ManifestFile,
  { version, builds }: UploadSettings,
  arrived: readonly UploadedBuild[],
): Promise<LastUpload> {
  const sent = await Promise.all(
    builds.map(async ({ path, platform = 'any', facts }): Promise<UploadedBuild> => {
      return { path, platform, writtenAt: await writtenAt(path, facts.form) };
    }),
  );
  const others = arrived.filter(({ platform }) => sent.every((one) => one.platform !== platform));
  return {
    manifest: uri.toString(),
    connectionId,
    moduleId,
    version,
    builds: [...others, ...sent],
    hasArrived: false,
  };
}

/**
 * Returns an archive's modification time. Returns undefined for a folder, and also for a deleted
 * archive, because the upload reports that error.
 */
async function writtenAt(path: string, form: 'archive' | 'folder'): Promise<number | undefined> {
  if (form === 'folder') return undefined;
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}
