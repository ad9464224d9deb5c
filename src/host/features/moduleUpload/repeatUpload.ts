import { basename } from 'node:path';
import * as vscode from 'vscode';
import { toDisplayText } from '../../../core/model/toDisplayText';
import { MANIFEST_NAME } from '../../../core/modules/manifest/moduleManifest';
import type { PreparedBuild } from '../../../core/modules/upload/preparedBuild';
import { confirm } from '../../platform/prompts';
import { showStatusMessage } from '../../platform/statusMessage';
import { inspectBuilds } from './inspectBuilds';
import {
  listPreviouslyUploaded,
  isSameTarget,
  joinsOthers,
  type LastUpload,
  LastUploads,
  type Repetition,
  repetitionElsewhere,
  planRepetition,
} from './lastUploads';
import { requireChanged, requireSameSource } from './requireChanged';
import { runUpload } from './runUpload';
import { uploadBuild } from './uploadBuild';
import { configureUpload, findVersionProblem, repeatedBuild } from './uploadMenu';
import { uploadSubject } from './uploadSubject';
import type { ModuleUploadTools, UploadSubject } from './uploadTools';

/**
 * Uploads the builds of the last upload again as the next version, or adds the missing builds to
 * the last version. Prompts only if something is unclear. Applies to the given or active module; if
 * there is none, to the most recently uploaded module.
 */
export async function repeatUpload(
  tools: ModuleUploadTools,
  given: object | undefined,
): Promise<void> {
  const last = lastUpload(new LastUploads(tools.storage), given);
  if (!last) return uploadBuild(tools, given);
  if (tools.activeUploads.has(last.manifest)) {
    notifyInProgress(last);
    return;
  }
  const title = vscode.l10n.t('Repeat Last Module Upload');
  const subject = await uploadSubject(tools, vscode.Uri.parse(last.manifest), title);
  const isThere = isSameTarget(last, subject.target);
  if (!isThere) await confirmTarget(tools, subject);
  const repetition = isThere
    ? await resolveRepetition(tools, last, subject)
    : repetitionElsewhere(last, subject.item.versions);
  const begun = tools.activeUploads.begin(last.manifest);
  try {
    // An upload that was in progress might have finished since then.
    const isNow = begun && isSame(last, new LastUploads(tools.storage).get(last.manifest));
    if (isNow) await repeat(tools, subject, { last, repetition, isThere });
    else notifyInProgress(last);
  } finally {
    begun?.dispose();
  }
}

interface Repeated {
  readonly last: LastUpload;
  readonly repetition: Repetition;
  /** True if the upload has the same target as the last one. */
  readonly isThere: boolean;
}

async function repeat(
  tools: ModuleUploadTools,
  subject: UploadSubject,
  { last, repetition, isThere }: Repeated,
): Promise<void> {
  const found = repetition.builds.map(({ path, platform }) => ({ path, before: platform }));
  const builds = await inspectBuilds(subject, found);
  const settings = { version: repetition.version, builds };
  const isSure =
    isThere &&
    !joinsOthers(repetition, subject.item.versions) &&
    builds.every(isExpected) &&
    repeatedBuild(settings) === undefined &&
    findVersionProblem(subject, settings) === undefined;
  const confirmed = isSure ? settings : await configureUpload(subject, settings);
  await runUpload(
    tools,
    subject,
    confirmed,
    listPreviouslyUploaded(repetition, last, confirmed.version),
  );
}

function notifyInProgress({ moduleId }: LastUpload): void {
  showStatusMessage(vscode.l10n.t('{0} is already being uploaded.', toDisplayText(moduleId)));
}

function isSame(one: LastUpload, other: LastUpload | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function resolveRepetition(
  tools: ModuleUploadTools,
  last: LastUpload,
  { item: { versions } }: UploadSubject,
): Promise<Repetition> {
  const repetition = planRepetition(last, versions);
  if (repetition.version === last.version) return requireSameSource(last, repetition, versions);
  await requireChanged(tools, { ...last, builds: repetition.arrived });
  return repetition;
}

function lastUpload(uploads: LastUploads, given: object | undefined): LastUpload | undefined {
  if (given instanceof vscode.Uri) return uploads.get(given.toString());
  if (given !== undefined) return undefined;
  const front = vscode.window.activeTextEditor?.document.uri;
  const isManifest = front !== undefined && basename(front.path) === MANIFEST_NAME;
  // If the active module was never uploaded, the last upload of a different module must not be
  // repeated in its place.
  return uploads.get(isManifest ? front.toString() : undefined);
}

/**
 * Prompts for confirmation of the target if another connection is active or the manifest specifies
 * another module, which is rarely intended when repeating an upload.
 */
async function confirmTarget(
  { sessions }: ModuleUploadTools,
  { target, item }: UploadSubject,
): Promise<void> {
  const cloud = sessions.connection(target.connectionId)?.label ?? '';
  await confirm(
    vscode.l10n.t('Upload to {0} of {1}?', toDisplayText(item.id), toDisplayText(cloud)),
    vscode.l10n.t('These builds were last uploaded to a different module or cloud.'),
    vscode.l10n.t('Upload…'),
  );
}

function isExpected({ platform, expected }: PreparedBuild): boolean {
  return platform !== undefined && expected === undefined;
}
