import * as vscode from 'vscode';
import type {
  TrainingChartStrings,
  TrainingComparisonStrings,
  TrainingMetricStrings,
  TrainingStrings,
} from '../../../../shared/trainingStrings';
import { getFigureStrings } from '../../../platform/text/tableStrings';
import { formatTrainingStatus } from '../../../platform/text/trainingText';
import { getRecoveryLabels } from '../../../platform/webview/recoveryActions';

/** Returns the localized strings of the training panel. */
export function trainingStrings(): TrainingStrings {
  return {
    loading: vscode.l10n.t('Loading training jobs…'),
    failed: vscode.l10n.t("Couldn't load the training jobs."),
    ...getRecoveryLabels(),
    title: vscode.l10n.t('Training'),
    heading: vscode.l10n.t('Training: {0}'),
    actions: actionStrings(),
    filter: {
      label: vscode.l10n.t('Filter training jobs'),
      placeholder: vscode.l10n.t('Model, version, dataset, or script'),
      states: vscode.l10n.t('Show only jobs in these states'),
      clear: vscode.l10n.t('Clear Filter'),
      stateNames: {
        pending: formatTrainingStatus('pending'),
        running: formatTrainingStatus('inProgress'),
        completed: formatTrainingStatus('completed'),
        failed: formatTrainingStatus('failed'),
        canceling: formatTrainingStatus('canceling'),
        canceled: formatTrainingStatus('canceled'),
        other: vscode.l10n.t('Other'),
      },
    },
    list: {
      label: vscode.l10n.t('Training jobs, newest first'),
      none: vscode.l10n.t('No trained models yet. Train one from a dataset.'),
      nothingFits: vscode.l10n.t('No jobs match the filter.'),
      count: vscode.l10n.t('{0} of {1} jobs'),
    },
    detail: {
      facts: vscode.l10n.t('Details'),
      error: vscode.l10n.t('Failure reason'),
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
    comparison: comparisonStrings(),
    log: {
      heading: vscode.l10n.t('Log'),
      label: vscode.l10n.t('Job log'),
      empty: vscode.l10n.t("The job didn't log anything."),
      waiting: vscode.l10n.t("The job hasn't logged anything yet."),
      open: vscode.l10n.t('Open as Text'),
      toEnd: vscode.l10n.t('Scroll to End'),
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
    cancel: vscode.l10n.t('Cancel Training Job'),
    delete: vscode.l10n.t('Delete…'),
    submitAgain: vscode.l10n.t('Submit Again…'),
    showModel: vscode.l10n.t('Show Model'),
    deploy: vscode.l10n.t('Use on Machine…'),
    showDataset: vscode.l10n.t('Show Dataset'),
    copyId: vscode.l10n.t('Copy ID'),
    idCopied: vscode.l10n.t('Copied the ID.'),
  };
}

function metricStrings(): TrainingMetricStrings {
  return {
    heading: vscode.l10n.t('Metrics'),
    loading: vscode.l10n.t('Loading metrics…'),
    failed: vscode.l10n.t("Couldn't load the metrics of this model. {0}"),
    none: vscode.l10n.t('This model has no metrics.json.'),
    byLabel: vscode.l10n.t('Metrics by label, for images held out from training'),
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
    noConfusions: vscode.l10n.t('The model predicted the correct label for every held-out image.'),
    tooManyLabels: vscode.l10n.t(
      'A confusion matrix with {0} labels is too large to display. The most frequent confusions are listed instead.',
    ),
  };
}

function comparisonStrings(): TrainingComparisonStrings {
  return {
    heading: vscode.l10n.t('Comparison'),
    open: vscode.l10n.t('Compare {0} Jobs'),
    close: vscode.l10n.t('Close Comparison'),
    clear: vscode.l10n.t('Clear Comparison'),
    add: vscode.l10n.t('Add to Comparison'),
    remove: vscode.l10n.t('Remove from Comparison'),
    removeHint: vscode.l10n.t('Remove {0} from the comparison'),
    marked: vscode.l10n.t('Compared'),
    added: vscode.l10n.t('Added {0} to the comparison.'),
    removed: vscode.l10n.t('Removed {0} from the comparison.'),
    full: vscode.l10n.t('You can compare up to {0} jobs. Remove one to add another.'),
    baseline: vscode.l10n.t('Baseline'),
    pin: vscode.l10n.t('Pin as Baseline'),
    pinHint: vscode.l10n.t('Compare other jobs with {0}'),
    baselineColumn: vscode.l10n.t('{0} (baseline)'),
    curve: vscode.l10n.t('Curve'),
    curves: vscode.l10n.t('Curves by epoch'),
    curvesTable: vscode.l10n.t('Curve values'),
    numbers: vscode.l10n.t('Metrics and their difference from the baseline'),
    labels: vscode.l10n.t('Precision and recall by label, with the difference from the baseline'),
    metric: vscode.l10n.t('Metric'),
    label: vscode.l10n.t('Label'),
    precisionColumn: vscode.l10n.t('{0}: precision'),
    recallColumn: vscode.l10n.t('{0}: recall'),
    same: vscode.l10n.t('{0} (same)'),
    difference: vscode.l10n.t('{0} ({1})'),
    shareDifference: vscode.l10n.t('{0} ({1} points)'),
    noMetrics: vscode.l10n.t('None of these jobs has metrics to compare.'),
    problem: vscode.l10n.t('{0}: {1}'),
  };
}

function chartStrings(): TrainingChartStrings {
  const { table: lossTable, ...figures } = getFigureStrings({
    table: vscode.l10n.t('Loss values'),
    series: vscode.l10n.t('Metric'),
  });
  return {
    ...figures,
    losses: vscode.l10n.t('Loss by epoch'),
    lossTable,
    qualities: vscode.l10n.t('Quality by epoch'),
    qualityTable: vscode.l10n.t('Quality values'),
    keys: vscode.l10n.t(
      'Arrow keys move between epochs. Home and End go to the first and last epoch.',
    ),
    epoch: vscode.l10n.t('Epoch {0}'),
  };
}
