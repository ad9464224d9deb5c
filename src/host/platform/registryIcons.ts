import type { RegistryItemType } from '../../core/model/registryItem';

/** Icons of registry items in lists and in the tree, by type. */
export const REGISTRY_ICONS: Readonly<Record<RegistryItemType, string>> = {
  module: 'package',
  mlModel: 'symbol-structure',
  trainingScript: 'mortar-board',
  slamMap: 'map',
  archive: 'file-zip',
  unknown: 'question',
};
