import * as vscode from 'vscode';
import { filesInArchive } from '../../../../archives/fileInArchive';
import { FleetError } from '../../../../core/api/errors';
import type { TrialModel } from '../../../../core/model/modelTrial';
import type { RegistryStore } from '../../../../core/stores/registryStore';
import { parseTrialModel, TRIAL_FILES } from '../../../../core/training/parseTrialModel';
import { type ModelVersion, formatModelVersion } from './pickTrialModel';

/**
 * Maximum file size. The weights of the largest networks that the service trains take less than 1
 * MB.
 */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;

/**
 * Reads a model from its archive. Throws `unsupported` for models that the fleet service didn't
 * train, because the extension doesn't know their networks.
 */
export async function readTrialModel(
  registry: Pick<RegistryStore, 'package' | 'content'>,
  model: ModelVersion,
  signal: AbortSignal,
): Promise<TrialModel> {
  const info = await registry.package(model.item, model.version, undefined, signal);
  const isOwn = info.files.length <= 1 || info.files.some(({ name }) => toTrialFile(name));
  if (!isOwn) throw unsupported(model);
  const { chunks } = await registry.content(info, { signal });
  const files = await filesInArchive(chunks, toTrialFile, TRIAL_FILES.length, {
    ...{ signal, mostUnpacked: MAX_UNPACKED_BYTES, mostBytes: MAX_FILE_BYTES },
  });
  const parsed = parseTrialModel(files);
  if (!parsed) throw unsupported(model);
  return parsed;
}

/** Returns the name of a top-level file of the archive; undefined if the file isn't needed. */
function toTrialFile(path: string): string | undefined {
  const name = path.replace(/^\.\//, '');
  return TRIAL_FILES.find((file) => file === name);
}

function unsupported(model: ModelVersion): FleetError {
  return new FleetError(
    'unsupported',
    vscode.l10n.t(
      'You can\'t try "{0}" here. Only models trained by the fleet service are supported, not uploaded models or models from training scripts.',
      formatModelVersion(model),
    ),
  );
}
