import * as vscode from 'vscode';
import type {
  TrainingChartStrings,
  TrainingMetricStrings,
  TrainingStrings,
} from '../../../../shared/trainingStrings';
import { figureStrings } from '../../../platform/tableStrings';
import { trainingStatusText } from '../../../platform/trainingText';
import { wayOutWords } from '../../../platform/wayOut';

/** The words of the training panel, in the language of VS Code. */
export function trainingStrings(): TrainingStrings {
  return {
    loading: vscode.l10n.t('Reading the training jobs…'),
    failed: vscode.l10n.t('The training jobs could not be read.'),
    ...wayOutWords(),
    title: vscode.l10n.t('Training'),
    heading: vscode.l10n.t('Training: {0}'),
    actions: actionStrings(),
    filter: {
      label: vscode.l10n.t('Filter training jobs'),
      placeholder: vscode.l10n.t('Model, version, dataset or script'),
      states: vscode.l10n.t('Show only jobs in these states'),
      clear: vscode.l10n.t('Clear Filter'),
      stateNames: {
        pending: trainingStatusText('pending'),
        running: trainingStatusText('inProgress'),
        completed: trainingStatusText('completed'),
        failed: trainingStatusText('failed'),
        canceling: trainingStatusText('canceling'),
        canceled: trainingStatusText('canceled'),
        other: vscode.l10n.t('Other'),
      },
    },
    list: {
      label: vscode.l10n.t('Training jobs, newest first'),
      none: vscode.l10n.t('No model was trained here yet. Submit a dataset to train one.'),
      nothingFits: vscode.l10n.t('No job passes the filter.'),
      count: vscode.l10n.t('{0} of {1} jobs'),
    },
    detail: {
      facts: vscode.l10n.t('Facts'),
      error: vscode.l10n.t('Why it failed'),
      submitted: vscode.l10n.t('Submitted'),
      started: vscode.l10n.t('Started'),
      ended: vscode.l10n.t('Ended'),
      duration: vscode.l10n.t('Duration'),
      epochs: vscode.l10n.t('Epoch {0} of {1}'),
      progress: vscode.l10n.t('Progress'),
      stateChanged: vscode.l10n.t('{0}: {1}'),
    },
    chart: chartStrings(),
    metrics: metricStrings(),
    log: {
      heading: vscode.l10n.t('Log'),
      label: vscode.l10n.t('What the job logged'),
      empty: vscode.l10n.t('The job has logged nothing.'),
      waiting: vscode.l10n.t('The job has logged nothing yet.'),
      open: vscode.l10n.t('Open as Text'),
      toEnd: vscode.l10n.t('Go to the End'),
      dropped: vscode.l10n.t('{0} earlier lines are not shown.'),
      levels: { warn: vscode.l10n.t('Warning'), error: vscode.l10n.t('Error') },
    },
  };
}

function actionStrings(): TrainingStrings['actions'] {
  return {
    label: vscode.l10n.t('Actions'),
    submit: vscode.l10n.t('Train Model…'),
    refresh: vscode.l10n.t('Refresh'),
    cancel: vscode.l10n.t('Cancel Training…'),
    delete: vscode.l10n.t('Delete…'),
    submitAgain: vscode.l10n.t('Submit Again…'),
    showModel: vscode.l10n.t('Show Model'),
    deploy: vscode.l10n.t('Use on Machine…'),
    showDataset: vscode.l10n.t('Show Dataset'),
    copyId: vscode.l10n.t('Copy Id'),
    idCopied: vscode.l10n.t('The id was copied.'),
  };
}

function metricStrings(): TrainingMetricStrings {
  return {
    heading: vscode.l10n.t('Metrics'),
    loading: vscode.l10n.t('Loading the metrics…'),
    failed: vscode.l10n.t("Couldn't read the metrics of this model. {0}"),
    none: vscode.l10n.t('This model has no metrics.json.'),
    byLabel: vscode.l10n.t('Metrics by label, on images held out from training'),
    label: vscode.l10n.t('Label'),
    heldOut: vscode.l10n.t('Tested on'),
    precision: vscode.l10n.t('Precision'),
    recall: vscode.l10n.t('Recall'),
    meanIou: vscode.l10n.t('Mean IoU'),
    confusion: vscode.l10n.t('Confusion matrix: true labels in rows, predicted labels in columns'),
    trueLabel: vscode.l10n.t('True label'),
    predictedLabel: vscode.l10n.t('Predicted label'),
    images: vscode.l10n.t('Images'),
    confusions: vscode.l10n.t('Most frequent confusions'),
    noConfusions: vscode.l10n.t('The model predicted the right label of every held-out image.'),
    tooManyLabels: vscode.l10n.t(
      'A confusion matrix of {0} labels is too large to read. The most frequent confusions are listed instead.',
    ),
  };
}

function chartStrings(): TrainingChartStrings {
  const { table: lossTable, ...figures } = figureStrings({
    table: vscode.l10n.t('Loss in numbers'),
    series: vscode.l10n.t('Figure'),
  });
  return {
    ...figures,
    losses: vscode.l10n.t('Loss by epoch'),
    lossTable,
    qualities: vscode.l10n.t('Quality by epoch'),
    qualityTable: vscode.l10n.t('Quality in numbers'),
    keys: vscode.l10n.t(
      'Arrow keys go from epoch to epoch; Home and End go to the first and last.',
    ),
    epoch: vscode.l10n.t('Epoch {0}'),
  };
}
