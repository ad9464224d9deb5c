import { memberValue } from '../../documents/jsonMembers';
import type { JsonValue } from '../../documents/jsonTree';
import type { ModelFramework, RegistryItem } from '../../model/registryItem';
import { freeName, getConfigList, textMember, withElement } from './configList';
import type { ModelFiles } from './modelFiles';
import { resourceNames } from './modelResource';
import { packageFolder } from './modelPackage';

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

/** Returns the resource models of a module that run trained models. */
export function listRunners({ id, models }: Pick<RegistryItem, 'id' | 'models'>): ModelRunner[] {
  return models
    .filter(({ api }) => api === ML_MODEL_API)
    .map(({ model }) => ({ moduleId: id, model }));
}

/** Returns the distinct runners that a config already has. */
export function runnersIn(configText: string): readonly ModelRunner[] {
  const models = getConfigList(configText, SERVICES)
    .filter((service) => hasApi(service, ML_MODEL_API))
    .map((service) => textMember(service, 'model'));
  return [...new Set(models)]
    .filter((model) => model !== '')
    .map((model) => ({ moduleId: undefined, model }));
}

/** Returns true if a service in the config already reads from a package. */
export function readsPackage(configText: string, packageName: string): boolean {
  const folder = packageFolder(packageName);
  return getConfigList(configText, SERVICES).some((service) => {
    const attributes = memberValue(service, 'attributes');
    return attributes !== undefined && textMember(attributes, 'model_path').startsWith(folder);
  });
}

/**
 * Adds a service to a config that runs a model from its package. Returns the text and the name of
 * the service.
 * @param resolved the resolved config, whose names are also taken
 * @throws FleetError `invalid` if the config's services are not a list.
 */
export function addModelService(
  configText: string,
  { packageName, model, files }: NewModelService,
  resolved = configText,
): { readonly text: string; readonly name: string } {
  const folder = packageFolder(packageName);
  const name = freeName(`${packageName}-model`, namesIn(configText, resolved));
  const attributes = {
    model_path: [folder, files.model].filter((part) => part !== '').join('/'),
    ...(files.labels !== undefined && { label_path: `${folder}/${files.labels}` }),
  };
  return {
    text: withElement(configText, SERVICES, { name, api: ML_MODEL_API, model, attributes }),
    name,
  };
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
): string {
  const base = modelService.replace(/-model(?:-\d+)?$/, '');
  const name = freeName(`${base}-vision`, namesIn(configText, resolved));
  const attributes = { mlmodel_name: modelService };
  return withElement(configText, SERVICES, {
    ...{ name, api: VISION_API, model: VISION_MODEL, attributes },
  });
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
