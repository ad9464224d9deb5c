import { Buffer } from 'node:buffer';
import type { TrialModel } from '../model/modelTrial';
import { TRAINING_TASKS } from '../model/trainingJob';

/** Files from the fleet service's own training jobs that are required to try a model. */
export const TRIAL_FILES = ['metrics.json', 'model.json', 'weights.bin'] as const;

const MAX_LABELS = 1000;

/**
 * Parses a model that the fleet service trained itself, using the files in its archive.
 * @returns undefined for all other models, because only the service's own networks can be tried
 */
export function parseTrialModel(files: ReadonlyMap<string, Uint8Array>): TrialModel | undefined {
  const [metrics, model] = [
    parseObject(files.get('metrics.json')),
    parseObject(files.get('model.json')),
  ];
  const weights = files.get('weights.bin');
  const task = TRAINING_TASKS.find((one) => one === metrics.task);
  const labels = toLabels(metrics.labels);
  const shapes = toShapes(model.weightsManifest);
  if (!weights || !task || !labels || !shapes) return undefined;
  return { task, labels, shapes, weights: toBase64(weights) };
}

function toLabels(value: unknown): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_LABELS;
  return isList && value.every((label) => typeof label === 'string') ? value : undefined;
}

/**
 * Returns the shapes of the arrays in the only group of weights, which must all contain 32-bit
 * floats.
 */
function toShapes(manifest: unknown): readonly (readonly number[])[] | undefined {
  const [group, ...others] = toList(manifest);
  const weights = toList(toObject(group).weights).map(toObject);
  const isPlain = weights.every(({ dtype, quantization }) => dtype === 'float32' && !quantization);
  if (others.length > 0 || weights.length === 0 || !isPlain) return undefined;
  return weights.map(({ shape }) => toList(shape).filter((length) => typeof length === 'number'));
}

function parseObject(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> {
  try {
    return toObject(bytes && JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
