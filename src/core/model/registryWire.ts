import type {
  ModelFramework as WireFramework,
  ModelType as WireTask,
} from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import type { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import type {
  RegistryItemStatus as WireStatus,
  Visibility,
} from '../../gen/viam/app/v1/registry_pb';
import type { KnownItemType, ModelFramework, ModelTask, RegistryItemStatus } from './registryItem';
import type { KnownVisibility } from './visibility';

// Numbers in the API contract's enums, whose generated code is loaded only with the first call.

export const ITEM_TYPES: Readonly<Record<KnownItemType, PackageType>> = {
  archive: 1,
  mlModel: 2,
  module: 3,
  slamMap: 4,
  trainingScript: 5,
};

export const ITEM_VISIBILITIES: Readonly<Record<KnownVisibility, Visibility>> = {
  private: 1,
  public: 2,
  publicUnlisted: 3,
};

export const ITEM_STATUSES: Readonly<Record<RegistryItemStatus, WireStatus>> = {
  published: 1,
  inDevelopment: 2,
};

export const MODEL_TASKS: Readonly<Record<ModelTask, WireTask>> = {
  unspecified: 0,
  singleLabelClassification: 1,
  multiLabelClassification: 2,
  objectDetection: 3,
};

export const MODEL_FRAMEWORKS: Readonly<Record<ModelFramework, WireFramework>> = {
  unspecified: 0,
  tflite: 1,
  tensorflow: 2,
  pytorch: 3,
  onnx: 4,
};

/**
 * Returns the name for a number from the wire; undefined for an unknown number from a newer
 * service.
 */
export function findWireName<Name extends string>(
  table: Readonly<Record<Name, number>>,
  value: number,
): Name | undefined {
  const names = Object.keys(table) as Name[];
  return names.find((name) => table[name] === value);
}
