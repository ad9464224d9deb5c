import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { FleetError, isCancelled } from '../../../core/api/errors';
import { displayText, withoutLinks } from '../../../core/model/displayText';
import type { Platform } from '../../../core/modules/platforms';
import { moduleUpdateOf } from '../../../core/modules/update/moduleUpdate';
import { namedFiles, type PreparedBuild } from '../../../core/modules/upload/preparedBuild';
import {
  type PlatformBuild,
  uploadBuilds,
  type VersionUpload,
} from '../../../core/modules/upload/uploadBuilds';
import { readBeside } from '../../platform/besideManifest';
import { listText } from '../../platform/listText';
import { folderOfManifest, type ManifestFile } from '../../platform/moduleManifests';
import { measuring } from '../../platform/progress';
import { platformText } from '../../platform/registryText';
import { LastUploads } from './lastUploads';
import { uploadText } from './uploadMenu';
import { sizeOf, type UploadSettings } from './uploadSettings';
import type { ModuleUploadTools, UploadSubject } from './uploadTools';

/** Uploads what was settled, and tells how it went. What did not arrive can be tried again. */
export async function runUpload(
  tools: ModuleUploadTools,
  subject: UploadSubject,
  settings: UploadSettings,
): Promise<void> {
  const { item, file } = subject;
  const update = file && updateOf(file);
  const run: Run = { tools, subject, settings, counted: { report: undefined } };
  const builds = settings.builds.map((build) => platformBuild(run, build));
  if (file) await remember(run, file.uri, false);
  await attempt(run, { item, version: settings.version, builds, update }, []);
}

/** What the manifest says, of the module as it is when that is sent. */
function updateOf({ uri, manifest }: ManifestFile): VersionUpload['update'] {
  const ground = { readBeside: readBeside(folderOfManifest(uri)), l10n: vscode.l10n };
  return (current) => moduleUpdateOf(manifest, current, ground);
}

interface Run {
  readonly tools: ModuleUploadTools;
  readonly subject: UploadSubject;
  readonly settings: UploadSettings;
  /** Told of bytes as they are read, while an attempt shows them. */
  readonly counted: { report: ((bytes: number) => void) | undefined };
}

function platformBuild(
  { subject, counted }: Run,
  { path, platform }: PreparedBuild,
): PlatformBuild {
  const named = namedFiles(subject.manifest);
  const onRead = (bytes: number): void => counted.report?.(bytes);
  return {
    platform: platform ?? 'any',
    read: (signal) => subject.builds.read(path, named, { signal, onRead }),
  };
}

async function attempt(
  run: Run,
  upload: VersionUpload,
  before: readonly Platform[],
): Promise<void> {
  const { subject, settings, counted } = run;
  const platforms = new Set(upload.builds.map(({ platform }) => platform));
  const sending = settings.builds.filter(({ platform }) => platforms.has(platform ?? 'any'));
  const total = sending.reduce((sum, build) => sum + sizeOf(build), 0);
  const title = uploadText(subject, { ...settings, builds: sending });
  const { uploaded, failed } = await measuring(title, total, (signal, report) => {
    counted.report = report;
    return uploadBuilds(subject.registry, upload, { signal });
  });
  const there = [...before, ...uploaded];
  if (!failed) {
    if (subject.file) await remember(run, subject.file.uri, true);
    void tellSuccess(run, there).catch(run.tools.presentError);
    return;
  }
  const rest = { ...upload, builds: failed.rest, update: undefined };
  if (await tellFailure(run, failed.error, there, failed.rest)) await attempt(run, rest, there);
}

async function tellSuccess({ tools, subject, settings }: Run, platforms: readonly Platform[]) {
  const deploy = vscode.l10n.t('Deploy to Machine…');
  const show = vscode.l10n.t('Show Page');
  const message = vscode.l10n.t(
    'Uploaded {0} {1} for {2}.',
    displayText(subject.item.id),
    settings.version,
    listText(platforms.map(platformText)),
  );
  const chosen = await vscode.window.showInformationMessage(message, deploy, show);
  const { target } = subject;
  if (chosen === deploy) {
    await tools.commands.execute('fleetwright.module.deploy', target, settings.version);
  }
  if (chosen === show) await tools.commands.execute('fleetwright.registryItem.show', target);
}

/** @returns whether the rest is to be tried again */
async function tellFailure(
  { tools, subject, settings }: Run,
  error: FleetError,
  there: readonly Platform[],
  rest: readonly PlatformBuild[],
): Promise<boolean> {
  const [first] = rest;
  const mayHaveArrived = first?.wasCut === true;
  const sentences = [
    isCancelled(error)
      ? vscode.l10n.t('The upload was cancelled.')
      : vscode.l10n.t(
          '{0} {1} could not be uploaded for {2}. {3}',
          displayText(subject.item.id),
          settings.version,
          platformText(first?.platform ?? 'any'),
          withoutLinks(error.message),
        ),
    ...(there.length > 0
      ? [vscode.l10n.t('Registered: {0}.', listText(there.map(platformText)))]
      : mayHaveArrived
        ? []
        : [vscode.l10n.t('Nothing was registered.')]),
  ];
  if (isCancelled(error)) {
    void vscode.window.showInformationMessage(sentences.join(' '));
    return false;
  }
  if (error.action === 'signIn') {
    // Sending it again with the same key would fail in the same way.
    const { kind, action } = error;
    tools.presentError(new FleetError(kind, sentences.join(' '), { cause: error, action }));
    return false;
  }
  const again = vscode.l10n.t('Retry');
  sentences.push(
    mayHaveArrived
      ? vscode.l10n.t(
          'It may have arrived all the same: Retry looks first, and sends it again if not.',
        )
      : vscode.l10n.t('Retry sends the whole archive again.'),
  );
  return (await vscode.window.showErrorMessage(sentences.join(' '), again)) === again;
}

/** @param isThere whether it arrived: only then the same archive once more is doubtful */
async function remember(
  { tools, subject, settings }: Run,
  manifest: vscode.Uri,
  isThere: boolean,
): Promise<void> {
  const builds = await Promise.all(
    settings.builds.map(async ({ path, platform, facts }) => ({
      path,
      platform: platform ?? 'any',
      writtenAt: isThere && facts.form === 'archive' ? await writtenAt(path) : undefined,
    })),
  );
  const { connectionId, itemId: moduleId } = subject.target;
  const { version } = settings;
  await new LastUploads(tools.storage).remember({
    ...{ manifest: manifest.toString(), connectionId, moduleId, version, builds },
    hasArrived: isThere,
  });
}

/** Undefined for an archive that is gone by now: it was uploaded all the same. */
async function writtenAt(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}
