import * as vscode from 'vscode';
import { toDisplayText } from '../../../../core/model/displayText';
import type { TrainingJob } from '../../../../core/model/trainingJob';
import { argumentLine } from '../../../../core/training/submit/scriptArguments';
import type { JobFact } from '../../../../shared/training';
import { formatDateTimeWithSeconds, formatNumber } from '../../../platform/text/displayText';
import { formatModelFramework, formatModelTask } from '../../../platform/text/registryText';
import { formatTrainingStatus } from '../../../platform/text/trainingText';
import type { JobLabels } from './pageJob';

/** Returns the localized strings for describing training jobs. */
export function getJobLabels(): JobLabels {
  return { status: formatTrainingStatus, training: formatTraining, facts };
}

function formatTraining({ script, task, organizationId }: TrainingJob): string {
  if (!script) return formatModelTask(task);
  // An organization without a namespace uses its ID as the prefix. In the organization's own list,
  // this prefix adds no information.
  const own = `${organizationId}:`;
  const { itemId } = script;
  const name = itemId.startsWith(own) ? itemId.slice(own.length) : itemId;
  return vscode.l10n.t('Script {0} {1}', toDisplayText(name), toDisplayText(script.version));
}

function facts(job: TrainingJob, dataset: string | undefined): readonly JobFact[] {
  const { script, status } = job;
  return [
    code(vscode.l10n.t('Job ID'), job.id),
    toPlainFact(vscode.l10n.t('Status'), typeof status === 'number' ? formatNumber(status) : ''),
    toPlainFact(
      vscode.l10n.t('Dataset'),
      dataset ?? vscode.l10n.t("It was deleted, or you don't have permission to view it."),
    ),
    code(vscode.l10n.t('Dataset ID'), job.datasetId),
    toPlainFact(vscode.l10n.t('Task'), formatModelTask(job.task)),
    toPlainFact(vscode.l10n.t('Framework'), formatModelFramework(job.framework)),
    code(vscode.l10n.t('Training script'), script?.itemId ?? ''),
    code(vscode.l10n.t('Script version'), script?.version ?? ''),
    toPlainFact(vscode.l10n.t('Labels'), job.labels.join(', ')),
    code(vscode.l10n.t('Arguments'), argumentLine(job.arguments)),
    code(vscode.l10n.t('Container'), job.container),
    toPlainFact(vscode.l10n.t('Last change'), formatTime(job.modifiedAt)),
    code(vscode.l10n.t('Package of the model'), job.modelPackageId),
  ];
}

function formatTime(at: Date | undefined): string {
  return at ? formatDateTimeWithSeconds(at) : '';
}

const MAX_VALUE_LENGTH = 2_000;

function toPlainFact(name: string, value: string): JobFact {
  return { name, value: toDisplayText(value, MAX_VALUE_LENGTH), isCode: false };
}

function code(name: string, value: string): JobFact {
  return { ...toPlainFact(name, value), isCode: true };
}
