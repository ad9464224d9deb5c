import * as vscode from 'vscode';
import { displayText } from '../../../../core/model/displayText';
import type { TrainingJob } from '../../../../core/model/trainingJob';
import { argumentLine } from '../../../../core/training/submit/scriptArguments';
import type { JobFact } from '../../../../shared/training';
import { secondText } from '../../../platform/momentText';
import { numberText } from '../../../platform/quantityText';
import { modelFrameworkText, modelTaskText } from '../../../platform/registryText';
import { trainingStatusText } from '../../../platform/trainingText';
import type { JobWords } from './pageJob';

/** Returns the localized strings for describing training jobs. */
export function jobWords(): JobWords {
  return { status: trainingStatusText, training: trainingText, facts };
}

function trainingText({ script, task, organizationId }: TrainingJob): string {
  if (!script) return modelTaskText(task);
  // Without a namespace, the organization's ID is used, which adds no information in its own list.
  const own = `${organizationId}:`;
  const { itemId } = script;
  const name = itemId.startsWith(own) ? itemId.slice(own.length) : itemId;
  return vscode.l10n.t('Script {0} {1}', displayText(name), displayText(script.version));
}

function facts(job: TrainingJob, dataset: string | undefined): readonly JobFact[] {
  const { script, status } = job;
  return [
    code(vscode.l10n.t('Job ID'), job.id),
    words(vscode.l10n.t('Status'), typeof status === 'number' ? numberText(status) : ''),
    words(
      vscode.l10n.t('Dataset'),
      dataset ?? vscode.l10n.t("It was deleted, or you don't have permission to view it."),
    ),
    code(vscode.l10n.t('Dataset ID'), job.datasetId),
    words(vscode.l10n.t('Task'), modelTaskText(job.task)),
    words(vscode.l10n.t('Framework'), modelFrameworkText(job.framework)),
    code(vscode.l10n.t('Training script'), script?.itemId ?? ''),
    code(vscode.l10n.t('Version of the script'), script?.version ?? ''),
    words(vscode.l10n.t('Labels'), job.labels.join(', ')),
    code(vscode.l10n.t('Arguments'), argumentLine(job.arguments)),
    code(vscode.l10n.t('Container'), job.container),
    words(vscode.l10n.t('Last change'), timeText(job.modifiedAt)),
    code(vscode.l10n.t('Package of the model'), job.modelPackageId),
  ];
}

function timeText(at: Date | undefined): string {
  return at ? secondText(at) : '';
}

const LONGEST_VALUE = 2_000;

function words(name: string, value: string): JobFact {
  return { name, value: displayText(value, LONGEST_VALUE), isCode: false };
}

function code(name: string, value: string): JobFact {
  return { ...words(name, value), isCode: true };
}
