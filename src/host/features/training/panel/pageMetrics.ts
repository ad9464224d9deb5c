import * as vscode from 'vscode';
import { isCanceled, toFleetError } from '../../../../core/api/errors';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { TrainingJob } from '../../../../core/model/trainingJob';
import type { RegistryStore } from '../../../../core/stores/registryStore';
import type { ModelMetrics } from '../../../../core/training/modelMetrics';
import type { JobMetric, JobMetrics } from '../../../../shared/jobMetrics';
import { getMetricName } from '../../../platform/metricNames';
import { readModelMetrics } from '../../../platform/readModelMetrics';

const NO_METRICS: JobMetrics = { numbers: [], labels: [], confusion: [] };

/**
 * Reads the metrics of a completed job's model from the model's archive. If the archive is
 * unreadable, returns a problem to show instead of throwing. Throws `canceled`.
 */
export async function readJobMetrics(
  registry: Pick<RegistryStore, 'package' | 'content'>,
  { organizationId, modelName, modelVersion }: TrainingJob,
  signal: AbortSignal,
): Promise<JobMetrics> {
  const model = { organizationId, name: modelName, type: 'mlModel' } as const;
  try {
    const info = await registry.package(model, modelVersion, undefined, signal);
    const metrics = await readModelMetrics(registry, info, signal);
    return metrics ? toPageMetrics(metrics) : NO_METRICS;
  } catch (error) {
    if (signal.aborted || isCanceled(error)) throw error;
    return { ...NO_METRICS, problem: toFleetError(error).message };
  }
}

function toPageMetrics(metrics: ModelMetrics): JobMetrics {
  const { numbers, labels, confusion, trainingImages, heldOutImages } = metrics;
  return {
    numbers: [
      ...numbers.map(({ name: key, value }) => ({ key, value, ...getMetricName(key) })),
      ...toCount('trainingImages', vscode.l10n.t('Images used for training'), trainingImages),
      ...toCount('heldOutImages', vscode.l10n.t('Images used for testing'), heldOutImages),
    ],
    labels: labels.map((one) => ({ ...one, label: toDisplayText(one.label) })),
    confusion,
  };
}

function toCount(key: string, name: string, value: number | undefined): readonly JobMetric[] {
  return value === undefined ? [] : [{ key: `images.${key}`, name, value, isShare: false }];
}
