import type { RegistryItemType } from '../../core/model/registryItem';

/** The icon of an item of the registry in lists and in the tree, by what it is. */
export const REGISTRY_ICONS: Readonly<Record<RegistryItemType, string>> = {
  module: 'package',
  mlModel: 'symbol-structure',
  trainingScript: 'mortar-board',
  slamMap: 'map',
  archive: 'file-zip',
  unknown: 'question',
};
