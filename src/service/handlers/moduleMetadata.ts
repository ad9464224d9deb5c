import { type DescMessage, type MessageShape, toJsonString } from '@bufbuild/protobuf';
import type { App, Model, ModuleMetadata } from '../../gen/viam/app/v1/registry_pb';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { invalid, notFound } from '../errors';
import type { RegistryItemRow } from '../store/registrySchema';
import { requireMarkdown } from './registryItems';

const TRIPLET = /^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/;
const APP_NAME = /^[A-Za-z0-9_-]+$/;
const APP_TYPES = ['single_machine', 'multi_machine'] as const;
const MAX_METADATA_LENGTH = 1024 * 1024;

/** @throws NotFound if the item with this ID is not a module. */
export function requireModule({ type }: Pick<RegistryItemRow, 'type'>, moduleId: string): void {
  if ((type as PackageType) !== PackageType.MODULE) {
    throw notFound('module', moduleId);
  }
}

/**
 * Validates the entrypoint, models, and apps of a module.
 * @throws InvalidArgument with a description of the first error.
 */
export function checkModule(module: Pick<ModuleMetadata, 'entrypoint' | 'models' | 'apps'>): void {
  if (module.entrypoint.trim() === '') {
    throw invalid('entrypoint: must not be empty: specify the executable that starts the module');
  }
  for (const [index, model] of module.models.entries()) {
    checkModel(model, `models[${String(index)}]`);
  }
  const names = new Set<string>();
  for (const [index, app] of module.apps.entries()) {
    const path = `apps[${String(index)}]`;
    checkApp(app, path);
    if (names.has(app.name)) {
      throw invalid(`${path}.name: "${app.name}" is used twice`);
    }
    names.add(app.name);
  }
}

function checkModel({ api, model, markdownDocumentation = '' }: Model, path: string): void {
  if (!TRIPLET.test(api)) {
    throw invalid(`${path}.api: must be namespace:type:subtype, such as rdk:component:base`);
  }
  if (!TRIPLET.test(model)) {
    throw invalid(`${path}.model: must be namespace:family:name, such as acme:wheels:fast`);
  }
  requireMarkdown(markdownDocumentation, `${path}.markdown_documentation`);
}

function checkApp({ name, type, entrypoint }: App, path: string): void {
  if (!APP_NAME.test(name)) {
    throw invalid(`${path}.name: must consist of letters, digits, dashes, and underscores`);
  }
  if (!APP_TYPES.some((known) => known === type)) {
    throw invalid(`${path}.type: must be ${APP_TYPES.join(' or ')}`);
  }
  if (entrypoint.trim() === '' || entrypoint.startsWith('/') || climbs(entrypoint)) {
    throw invalid(`${path}.entrypoint: must be the path of a file inside the module`);
  }
}

function climbs(path: string): boolean {
  return path.split(/[/\\]/).includes('..');
}

/**
 * Returns an item's metadata as the string to store.
 * @throws InvalidArgument if the metadata is too large for a list.
 */
export function serializeMetadata<Desc extends DescMessage>(
  schema: Desc,
  metadata: MessageShape<Desc>,
): string {
  const text = toJsonString(schema, metadata);
  if (text.length > MAX_METADATA_LENGTH) {
    throw invalid('metadata: must not be larger than 1 MiB');
  }
  return text;
}
