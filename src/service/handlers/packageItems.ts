import { create, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { ModelFramework, ModelType } from '../../gen/viam/app/mltraining/v1/ml_training_pb';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import {
  MLModelMetadataSchema,
  MLTrainingMetadataSchema,
  RegistryItemStatus,
  Visibility,
} from '../../gen/viam/app/v1/registry_pb';
import { invalid } from '../errors';
import type { RegistryItemRow } from '../store/registrySchema';
import { serializeMetadata } from './moduleMetadata';
import { requireUrl } from './registryItems';

/** Fields of a new item that its first upload specifies. */
type DescribedItem = Pick<RegistryItemRow, 'visibility' | 'status' | 'url' | 'metadata'>;

const VISIBILITIES: Readonly<Record<string, Visibility>> = {
  private: Visibility.PRIVATE,
  public: Visibility.PUBLIC,
  public_unlisted: Visibility.PUBLIC_UNLISTED,
};

/**
 * Returns an item based on the metadata of its first upload. Missing fields get the defaults of a
 * private item.
 * @throws InvalidArgument if the metadata has invalid values.
 */
export function describedItem(type: PackageType, metadata: JsonObject = {}): DescribedItem {
  const draft = metadata.draft ?? false;
  if (typeof draft !== 'boolean') {
    throw invalid('metadata.draft: must be true or false');
  }
  const named = getMetadataText(metadata, 'visibility') || 'private';
  const visibility = Object.hasOwn(VISIBILITIES, named) ? VISIBILITIES[named] : undefined;
  if (visibility === undefined) {
    throw invalid(`metadata.visibility: must be one of ${Object.keys(VISIBILITIES).join(', ')}`);
  }
  return {
    visibility,
    status: draft ? RegistryItemStatus.IN_DEVELOPMENT : RegistryItemStatus.PUBLISHED,
    url: requireUrl(getMetadataText(metadata, 'url')),
    metadata: typeMetadata(type, metadata, draft),
  };
}

function typeMetadata(type: PackageType, metadata: JsonObject, draft: boolean): string {
  const modelType = getEnumValue(ModelType, metadata, 'model_type');
  const modelFramework = getEnumValue(ModelFramework, metadata, 'model_framework');
  const model = { modelType, modelFramework };
  switch (type) {
    case PackageType.ML_MODEL:
      return serializeMetadata(MLModelMetadataSchema, create(MLModelMetadataSchema, model));
    case PackageType.ML_TRAINING:
      return serializeMetadata(
        MLTrainingMetadataSchema,
        create(MLTrainingMetadataSchema, { ...model, draft }),
      );
    default:
      return '{}';
  }
}

function getMetadataText(metadata: JsonObject, key: string): string {
  const value: JsonValue = metadata[key] ?? '';
  if (typeof value !== 'string') {
    throw invalid(`metadata.${key}: must be text`);
  }
  return value;
}

/**
 * Returns the value of an enum, which clients specify in lowercase. Returns the unspecified value
 * if clients omit it.
 */
function getEnumValue<Value extends number>(
  values: Readonly<Record<string, Value | string>>,
  metadata: JsonObject,
  key: string,
): Value {
  const name = getMetadataText(metadata, key).toUpperCase() || 'UNSPECIFIED';
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (typeof value !== 'number') {
    const known = Object.keys(values).filter((candidate) => !/^\d/.test(candidate));
    throw invalid(`metadata.${key}: must be one of ${known.join(', ').toLowerCase()}`);
  }
  return value;
}
