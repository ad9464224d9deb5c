import { englishLocalizer, type Localizer } from '../../../base/localizer';
import { getConfigList } from '../../documents/configLists';
import { memberValue } from '../../documents/jsonEdits';
import type { JsonValue } from '../../documents/jsonText';
import type { ModelFramework, RegistryItem } from '../../model/registryItem';
import {
  type Deployment,
  freeName,
  moveUses,
  registryUse,
  type RegistryUse,
  resourceNames,
  textMember,
  withElement,
} from './moduleUse';
import type { PackageEntry } from '../../model/registryPackage';

const SERVICES = 'services';
/** API of services that run models on machines. */
const ML_MODEL_API = 'rdk:service:mlmodel';
const VISION_API = 'rdk:service:vision';
/** Vision service in the machine software that uses a model. */
const VISION_MODEL = 'rdk:builtin:mlmodel';

/** Resource model that runs trained models, and the module that provides it. */
export interface ModelRunner {
  /** ID of the module, `namespace:name`; undefined if the config already has the module. */
  readonly moduleId: string | undefined;
  readonly model: string;
}

/** Modules in the public registry that run each format, according to their own documentation. */
const PUBLIC_RUNNERS: Readonly<Partial<Record<ModelFramework, ModelRunner>>> = {
  tflite: { moduleId: 'viam:tflite_cpu', model: 'viam:mlmodel-tflite:tflite_cpu' },
  onnx: { moduleId: 'viam:onnx-cpu', model: 'viam:mlmodel:onnx-cpu' },
  tensorflow: { moduleId: 'viam:tensorflow-cpu', model: 'viam:mlmodel:tensorflow-cpu' },
  pytorch: { moduleId: 'viam:torch-cpu', model: 'viam:mlmodel:torch-cpu' },
};

/** Returns the public module that runs a format; undefined if none is known. */
export function publicRunner(framework: ModelFramework): ModelRunner | undefined {
  return PUBLIC_RUNNERS[framework];
}

/** Returns a module's resource models that run trained models. */
export function listRunners({ id, models }: Pick<RegistryItem, 'id' | 'models'>): ModelRunner[] {
  return models
    .filter(({ api }) => api === ML_MODEL_API)
    .map(({ model }) => ({ moduleId: id, model }));
}

/** Returns the distinct runners that a config already has. */
export function runnersIn(configText: string, l10n = englishLocalizer): readonly ModelRunner[] {
  const models = getConfigList(configText, SERVICES, l10n)
    .filter((service) => hasApi(service, ML_MODEL_API))
    .map((service) => textMember(service, 'model'));
  return [...new Set(models)]
    .filter((model) => model !== '')
    .map((model) => ({ moduleId: undefined, model }));
}

/** Returns true if a service in the config already reads from a package. */
export function readsPackage(
  configText: string,
  packageName: string,
  l10n = englishLocalizer,
): boolean {
  const folder = packageFolder(packageName);
  return getConfigList(configText, SERVICES, l10n).some((service) => {
    const attributes = memberValue(service, 'attributes');
    return attributes !== undefined && textMember(attributes, 'model_path').startsWith(folder);
  });
}

/**
 * Adds a service to a config that runs a model from its package. Returns the text and the service's
 * name.
 * @param resolved the resolved config, whose names are also taken
 * @throws the same errors as `getConfigList`
 */
export function addModelService(
  configText: string,
  { packageName, model, files }: NewModelService,
  resolved = configText,
  l10n = englishLocalizer,
): { readonly text: string; readonly name: string } {
  const folder = packageFolder(packageName);
  const name = freeName(`${packageName}-model`, namesIn(configText, resolved));
  const attributes = {
    model_path: [folder, files.model].filter((part) => part !== '').join('/'),
    ...(files.labels !== undefined && { label_path: `${folder}/${files.labels}` }),
  };
  const service = { name, api: ML_MODEL_API, model, attributes };
  return { text: withElement(configText, SERVICES, service, l10n), name };
}

export interface NewModelService {
  /** Name of the package in the config. */
  readonly packageName: string;
  /** Model triplet of the runner. */
  readonly model: string;
  readonly files: ModelFiles;
}

/**
 * Adds a vision service that uses a model to a config. Throws the same errors as `addModelService`.
 */
export function addVisionService(
  configText: string,
  modelService: string,
  resolved = configText,
  l10n = englishLocalizer,
): string {
  const base = modelService.replace(/-model(?:-\d+)?$/, '');
  const name = freeName(`${base}-vision`, namesIn(configText, resolved));
  const attributes = { mlmodel_name: modelService };
  const service = { name, api: VISION_API, model: VISION_MODEL, attributes };
  return withElement(configText, SERVICES, service, l10n);
}

function namesIn(configText: string, resolved: string): ReadonlySet<string> {
  return new Set([...resourceNames(configText), ...resourceNames(resolved)]);
}

/**
 * Returns true if a service has this API. Older configs use `type` (and `namespace`) instead of
 * `api`.
 */
function hasApi(service: JsonValue, api: string): boolean {
  const declaredApi = textMember(service, 'api');
  return declaredApi === '' ? api.endsWith(`:${textMember(service, 'type')}`) : declaredApi === api;
}

const PACKAGES = 'packages';
/** Type that configs use for a model's package. */
const ML_MODEL = 'ml_model';

/**
 * Returns the deployment that adds a model to configs. Configs refer to a package as
 * `organization-id/name`, or with the namespace instead of the organization ID.
 */
export function createModelDeployment(
  {
    namespace,
    organizationId,
    name,
    versions,
  }: Pick<RegistryItem, 'namespace' | 'organizationId' | 'name' | 'versions'>,
  version: string,
): Deployment {
  const others = namespace === '' ? [] : [`${namespace}/${name}`];
  return {
    ids: [`${organizationId}/${name}`, ...others],
    version,
    versions: versions.map((one) => one.version),
  };
}

/**
 * Returns the uses of a model in a config text.
 * @throws the same errors as `getConfigList`
 */
export function packageUses(
  configText: string,
  ids: readonly string[],
  l10n = englishLocalizer,
): readonly RegistryUse[] {
  return usesIn(configText, ids, l10n).map(registryUse);
}

/**
 * Deploys the requested version of a package to a config: adds an entry, or changes the version if
 * the config already has the package (`moveUses`).
 * @param resolved the resolved config, whose names are also taken: a package with the same name
 *   would replace a fragment's package
 * @throws the same errors as `getConfigList`
 */
export function deployPackage(
  configText: string,
  deployment: Deployment,
  resolved = configText,
  l10n = englishLocalizer,
): string {
  const { ids, version } = deployment;
  const moved = moveUses(configText, (text) => usesIn(text, ids, l10n), deployment);
  if (moved !== undefined) return moved;
  const [id] = ids;
  const name = freePackageName([configText, resolved], id, l10n);
  const element = { name, package: id, type: ML_MODEL, version };
  return withElement(configText, PACKAGES, element, l10n);
}

/** Returns the path prefix for files in a package, which the machine software expands. */
function packageFolder(name: string): string {
  return `\${packages.${ML_MODEL}.${name}}`;
}

function freePackageName(configTexts: readonly string[], id: string, l10n: Localizer): string {
  const packages = configTexts.flatMap((text) => getConfigList(text, PACKAGES, l10n));
  const taken = new Set(packages.map((element) => textMember(element, 'name')));
  return freeName((id.split('/').at(-1) ?? id).replaceAll(/[^\w-]/g, '-'), taken);
}

function usesIn(configText: string, ids: readonly string[], l10n: Localizer): readonly JsonValue[] {
  return getConfigList(configText, PACKAGES, l10n).filter((element) =>
    ids.includes(textMember(element, 'package')),
  );
}

/** A model's files that a machine reads, as paths in its package. */
export interface ModelFiles {
  /** Format to run. The package can contain more than one format. */
  readonly framework: ModelFramework;
  /** Path of a file or folder; empty for the whole package. */
  readonly model: string;
  readonly labels: string | undefined;
}

/** Patterns for the files in each format, most widely supported format first. */
const ENDINGS: readonly (readonly [Exclude<ModelFramework, 'unspecified'>, RegExp])[] = [
  ['tflite', /\.tflite$/i],
  ['onnx', /\.onnx$/i],
  ['tensorflow', /(?:^|\/)saved_model\.pb$/i],
  ['pytorch', /\.pth?$/i],
];
const LABELS = /(?:^|\/)labels?\.txt$/i;

/**
 * Suffixes that training jobs on the public service append to a model's name to form its file name.
 */
const USUAL_ENDINGS: Readonly<Partial<Record<ModelFramework, string>>> = {
  tflite: '.tflite',
  onnx: '.onnx',
  pytorch: '.pt',
};

/**
 * Returns the files in a package that a machine reads. The format that the package declares takes
 * precedence over other formats that it contains.
 * @param name name of the model, from which the file names are inferred if the files are unknown
 * @returns undefined if machines can't run any of the files
 */
export function modelFiles(
  entries: readonly PackageEntry[],
  framework: ModelFramework,
  name: string,
): ModelFiles | undefined {
  return selectModelFiles(entries, framework) ?? usualFiles(entries, framework, name);
}

/**
 * Infers a model's usual files. A single entry that isn't a model represents the archive itself,
 * whose contents are unknown.
 */
function usualFiles(
  entries: readonly PackageEntry[],
  framework: ModelFramework,
  name: string,
): ModelFiles | undefined {
  const ending = USUAL_ENDINGS[framework];
  if (entries.length > 1 || ending === undefined) return undefined;
  return { framework, model: `${name}${ending}`, labels: 'labels.txt' };
}

function selectModelFiles(
  entries: readonly PackageEntry[],
  framework: ModelFramework,
): ModelFiles | undefined {
  const files = entries
    .filter(({ isDirectory }) => !isDirectory)
    .map(({ name }) => name.replace(/^\.\//, ''))
    .toSorted((one, other) => getPathDepth(one) - getPathDepth(other) || (one < other ? -1 : 1));
  const labels = files.find((file) => LABELS.test(file));
  const preferred = ENDINGS.filter(([one]) => one === framework);
  for (const [format, ending] of [...preferred, ...ENDINGS]) {
    const file = files.find((one) => ending.test(one));
    if (file === undefined) continue;
    // For a saved model, the path is the folder that contains the file.
    const model = format === 'tensorflow' ? file.replace(/\/?saved_model\.pb$/i, '') : file;
    return { framework: format, model, labels };
  }
  return undefined;
}

function getPathDepth(path: string): number {
  return path.split('/').length;
}
