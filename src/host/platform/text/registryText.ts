import * as vscode from 'vscode';
import type { FragmentVisibility } from '../../../core/model/entities';
import type {
  ModelFramework,
  ModelTask,
  RegistryItem,
  RegistryItemStatus,
  RegistryItemType,
} from '../../../core/model/registryItem';
import { formatNumber } from './displayText';

// Registry strings for use within a line.

/** Describes the users who can see and use an item; empty if unknown. */
export function formatVisibility(visibility: FragmentVisibility): string {
  switch (visibility) {
    case 'private':
      return vscode.l10n.t('private');
    case 'public':
      return vscode.l10n.t('public');
    case 'publicUnlisted':
      return vscode.l10n.t('public, unlisted');
    case 'unknown':
      return '';
  }
}

export function formatRegistryType(type: RegistryItemType): string {
  switch (type) {
    case 'module':
      return vscode.l10n.t('module');
    case 'mlModel':
      return vscode.l10n.t('model');
    case 'trainingScript':
      return vscode.l10n.t('training script');
    case 'slamMap':
      return vscode.l10n.t('map');
    case 'archive':
      return vscode.l10n.t('package');
    case 'unknown':
      return vscode.l10n.t('registry item');
  }
}

export function formatRegistryStatus(status: RegistryItemStatus): string {
  return status === 'published' ? vscode.l10n.t('published') : vscode.l10n.t('in development');
}

/** Formats an archive's platform, such as `linux/arm64`. */
export function formatPlatform(platform: string): string {
  return platform === 'any' ? vscode.l10n.t('any platform') : platform;
}

/** Formats an item's users, such as `3 machines of 2 organizations`. */
export function formatUsers({
  machinesUsing,
  organizationsUsing,
}: Pick<RegistryItem, 'machinesUsing' | 'organizationsUsing'>): string {
  if (machinesUsing === 0) return vscode.l10n.t('no machines');
  const machines =
    machinesUsing === 1
      ? vscode.l10n.t('1 machine')
      : vscode.l10n.t('{0} machines', formatNumber(machinesUsing));
  return organizationsUsing < 2
    ? machines
    : vscode.l10n.t('{0} of {1} organizations', machines, formatNumber(organizationsUsing));
}

/** Returns the name of a model's task without commas, for use in lists; empty if unknown. */
export function formatModelTask(task: ModelTask): string {
  switch (task) {
    case 'singleLabelClassification':
      return vscode.l10n.t('Classification (single label)');
    case 'multiLabelClassification':
      return vscode.l10n.t('Classification (multiple labels)');
    case 'objectDetection':
      return vscode.l10n.t('Object detection');
    case 'unspecified':
      return '';
  }
}

/** Returns the official name of a model's format; empty if unknown. */
export function formatModelFramework(framework: ModelFramework): string {
  switch (framework) {
    case 'tflite':
      return 'TensorFlow Lite';
    case 'tensorflow':
      return 'TensorFlow';
    case 'pytorch':
      return 'PyTorch';
    case 'onnx':
      return 'ONNX';
    case 'unspecified':
      return '';
  }
}

/** Icons of registry items in lists and in the tree, by type. */
export const REGISTRY_ICONS: Readonly<Record<RegistryItemType, string>> = {
  module: 'package',
  mlModel: 'symbol-structure',
  trainingScript: 'mortar-board',
  slamMap: 'map',
  archive: 'file-zip',
  unknown: 'question',
};
