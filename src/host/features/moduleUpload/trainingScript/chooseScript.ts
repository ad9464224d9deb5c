import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { BuildFacts } from '../../../../core/modules/buildFacts';
import type { BuildReader } from '../../../../core/modules/upload/buildReader';
import { prepareBuild } from '../../../../core/modules/upload/preparedBuild';
import { hasTrainingFile, TRAINING_FILE } from '../../../../core/modules/upload/scriptFolder';
import { trackProgress } from '../../../platform/progress';
import { pickOne } from '../../../platform/prompts';
import { pickBuild } from '../findBuilds';
import { requireUploadable } from '../inspectBuilds';

/** Training script on this computer that can be uploaded. */
export interface ChosenScript {
  /** Absolute path of a folder or an archive. */
  readonly path: string;
  readonly facts: BuildFacts;
}

/**
 * Prompts for a training script and inspects it. Throws `canceled`, and `invalid` if the selection
 * is not a valid training script.
 */
export async function chooseScript(
  reader: BuildReader,
  given: vscode.Uri | undefined,
): Promise<ChosenScript> {
  const path = given?.fsPath ?? (await pickScript());
  const { facts } = await trackProgress(
    vscode.l10n.t('Checking the training script'),
    async (signal) => {
      const prepared = await prepareBuild(reader, { path }, undefined, { signal });
      requireUploadable(prepared);
      const facts = await reader.inspect(path, { entrypoint: TRAINING_FILE }, { signal });
      return { ...prepared, facts };
    },
  );
  if (hasTrainingFile(facts)) return { path, facts };
  throw new FleetError(
    'invalid',
    vscode.l10n.t(
      "{0} doesn't contain {1}, the file that training jobs run. Nothing was uploaded.",
      toDisplayText(vscode.workspace.asRelativePath(path)),
      TRAINING_FILE,
    ),
  );
}

async function pickScript(): Promise<string> {
  const items = [
    {
      label: vscode.l10n.t('Select Folder (Packed Automatically)…'),
      form: 'folder' as const,
    },
    { label: vscode.l10n.t('Select Archive (.tar.gz)…'), form: 'archive' as const },
  ];
  const { form } = await pickOne(items, {
    title: vscode.l10n.t('Upload Training Script'),
    placeholder: vscode.l10n.t('A Python package that uses {0}', TRAINING_FILE),
  });
  return pickBuild(form, undefined);
}
